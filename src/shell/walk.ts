import { visitArithmetic } from "./arithmetic.ts";
import { argument, assign, withExports } from "./assign.ts";
import { mergeInto, prefixed, restore, rounds } from "./branches.ts";
import { runCommand } from "./command.ts";
import { visitTest } from "./condition.ts";
import { expandInto, expandParts, expandText, expandWhole, expandWords, type Place } from "./expand.ts";
import {
  type Call,
  copyScope,
  deeper,
  joinStreams,
  noText,
  type Run,
  type Scope,
  type Stream,
  single,
  spend,
  type Value,
} from "./model.ts";
import {
  type AndOr,
  type Case,
  type Command,
  type CommandNode,
  type CompoundList,
  type For,
  type Function as FunctionNode,
  type If,
  type Pipeline,
  type PipelineNode,
  parseShell,
  type Redirection,
  restAfterError,
  type Script,
  type Select,
  type Statement,
  type While,
} from "./parse.ts";
import { applyRedirects, noRedirects, noteForced, type Redirects, targetsOf } from "./redirect.ts";

/** What surrounds the node being run. */
interface Shell {
  readonly run: Run;
  readonly scope: Scope;
  readonly stdin: Stream;
  readonly wrappers: readonly string[];
}

const mostRepairs = 8;
const mostRounds = 64;

/** Parses and runs shell text. Broken text is read again after the token that broke it. */
export function runText(shell: Shell, source: string): Stream {
  return deeper(shell.run, noText, () => {
    let output = noText;
    let text = source;
    for (let round = 0; round < mostRepairs; round++) {
      const parsed = parseShell(text);
      if (!parsed.ok) {
        shell.run.incomplete ??= parsed.reason;
        return output;
      }
      output = joinStreams(output, runStatements(shell, parsed.script.commands));
      if (shell.run.depth === 1) shell.run.broken ||= parsed.broken;
      if (parsed.broken) runUncalled(shell, parsed.script);
      const rest = parsed.broken ? restAfterError(text, parsed.script) : null;
      if (rest === null) break;
      text = text.slice(rest);
    }
    return output;
  });
}

/** In broken text, nobody knows whether a function would have been called. */
function runUncalled(shell: Shell, script: Script): void {
  for (const { command } of script.commands)
    if (command.type === "Function") runFunction({ ...shell, argv: [], env: new Map() }, command);
}

/** Runs the function body of a call that names it. */
export function runFunction(call: Call, node: FunctionNode): Stream {
  const { run, scope, stdin, wrappers } = call;
  const { params, locals } = scope;
  const outer = new Map<string, Value | undefined>();
  scope.params = call.argv.slice(1);
  scope.locals = outer;
  prefixed(call, outer);
  const output = deeper(run, noText, () => {
    const shell = { run, scope, stdin, wrappers };
    return node.body.type === "CompoundList" ? runList(shell, node.body) : runNode(shell, node.body);
  });
  scope.params = params;
  scope.locals = locals;
  restore(scope.vars, outer);
  return output;
}

function runList(shell: Shell, list: CompoundList | undefined): Stream {
  return list === undefined ? noText : runStatements(shell, list.commands);
}

function runStatements(shell: Shell, statements: readonly Statement[]): Stream {
  let output = noText;
  for (const statement of statements) {
    if (!spend(shell.run)) break;
    const detached = shell.run.detached;
    if (statement.background === true) shell.run.detached = true;
    output = joinStreams(output, runAny(shell, statement.command));
    shell.run.detached = detached;
  }
  return output;
}

function runAny(shell: Shell, node: PipelineNode | AndOr): Stream {
  if (node.type === "AndOr") return runAndOr(shell, node);
  return node.type === "Pipeline" ? runPipeline(shell, node) : runNode(shell, node);
}

function runAndOr(shell: Shell, node: AndOr): Stream {
  let output = noText;
  const before = shell.scope.cwd;
  node.commands.forEach((command, at) => {
    const otherwise = node.operators[at - 1] === "||" && shell.scope.cwd !== before;
    output = joinStreams(output, otherwise ? runOtherwise(shell, command, before) : runAny(shell, command));
  });
  return output;
}

/** The right side of `cd x || …` runs where the `cd` did not lead. */
function runOtherwise(shell: Shell, node: PipelineNode, before: string): Stream {
  const { scope } = shell;
  const moved = scope.cwd;
  scope.cwd = before;
  const output = runAny(shell, node);
  if (scope.cwd !== before) scope.instead = scope.cwd;
  scope.cwd = moved;
  return output;
}

function runPipeline(shell: Shell, node: Pipeline): Stream {
  const several = node.commands.length > 1;
  const detached = shell.run.detached;
  shell.run.detached ||= several;
  let stdin = shell.stdin;
  for (const command of node.commands) {
    if (!spend(shell.run)) break;
    const scope = several ? copyScope(shell.scope) : shell.scope;
    if (several && !spend(shell.run, scope.vars.size >> 4)) break;
    stdin = runNode({ ...shell, scope, stdin }, command);
  }
  shell.run.detached = detached;
  return stdin;
}

/** Runs one command of any kind and gives what it prints. */
function runNode(shell: Shell, node: CommandNode): Stream {
  if (!spend(shell.run)) return noText;
  switch (node.type) {
    case "Command":
      return runSimple(shell, node);
    case "Redirected":
      return runRedirected(shell, node.redirects, (stdin) => runNode({ ...shell, stdin }, node.command));
    case "Function":
      shell.scope.functions.set(node.name.value, node);
      return noText;
    case "Coproc":
      return node.body.type === "CompoundList" ? runList(shell, node.body) : runNode(shell, node.body);
    case "BraceGroup":
      return runList(shell, node.body);
    case "Subshell":
      return deeper(shell.run, noText, () => runList({ ...shell, scope: copyScope(shell.scope) }, node.body));
    case "If":
      return runIf(shell, node);
    case "For":
    case "Select":
      return runFor(shell, node);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) visitArithmetic(placeOf(shell), part);
      return runList(shell, node.body);
    case "While":
      return runWhile(shell, node);
    case "Case":
      return runCase(shell, node);
    case "TestCommand":
      visitTest(placeOf(shell), node.expression);
      return noText;
    case "ArithmeticCommand":
      visitArithmetic(placeOf(shell), node.expression);
      return noText;
  }
}

function runWhile(shell: Shell, node: While): Stream {
  const body = () => runList(shell, node.body);
  return rounds(shell.scope, () => joinStreams(runList(shell, node.clause), body()), body);
}

function runIf(shell: Shell, node: If): Stream {
  let output = runList(shell, node.clause);
  const ways: Scope[] = [];
  const branch = (list: CompoundList | undefined) => {
    const scope = copyScope(shell.scope);
    output = joinStreams(output, runList({ ...shell, scope }, list));
    ways.push(scope);
  };
  branch(node.then);
  for (const elif of node.elif) {
    output = joinStreams(output, runList(shell, elif.clause));
    branch(elif.then);
  }
  branch(node.else);
  mergeInto(shell.scope, ways);
  return output;
}

function runCase(shell: Shell, node: Case): Stream {
  expandWhole(placeOf(shell), node.word);
  let output = noText;
  const ways = node.items.map((item) => {
    for (const pattern of item.pattern) expandWhole(placeOf(shell), pattern);
    const scope = copyScope(shell.scope);
    output = joinStreams(output, runList({ ...shell, scope }, item.body));
    return scope;
  });
  mergeInto(shell.scope, [...ways, copyScope(shell.scope)]);
  return output;
}

function runFor(shell: Shell, node: For | Select): Stream {
  const words = node.wordlist;
  const items = words === undefined ? shell.scope.params : expandWords(placeOf(shell), words);
  let output = noText;
  const passes = items.length === 0 ? [] : items.slice(0, mostRounds);
  if (items.length > mostRounds) shell.run.unseen.add("the later rounds of a long loop");
  for (const item of passes) {
    if (!spend(shell.run)) break;
    shell.scope.vars.set(node.name.value, single(item));
    output = joinStreams(output, runList(shell, node.body));
  }
  if (passes.length === 0 && words === undefined) output = runList(shell, node.body);
  return output;
}

function runSimple(shell: Shell, node: Command): Stream {
  const place = placeOf(shell);
  const assigned = new Map<string, string>();
  for (const part of node.prefix) {
    if (part.type === "Assignment") assign(place, part, node.name === undefined ? null : assigned);
  }
  return runRedirected(shell, node.redirects, (stdin, redirects) => {
    const inner = { ...place, stdin };
    const argv: string[] = [];
    if (node.name !== undefined) expandInto(inner, node.name, argv);
    for (const arg of node.args) {
      if (arg.type === "Word") expandInto(inner, arg, argv);
      else argv.push(...argument(inner, arg));
    }
    noteForced({ ...shell, argv, env: assigned }, node, (word) => targetsOf(place, word));
    if (argv.length === 0) return noText;
    const { run, scope, wrappers } = shell;
    // Each command is given all variables: many of both cost more than either.
    if (!spend(run, scope.vars.size >> 3)) return noText;
    return runCommand({ run, scope, argv, env: withExports(place, assigned), stdin, wrappers }, redirects);
  });
}

function runRedirected(
  shell: Shell,
  redirections: readonly Redirection[],
  body: (stdin: Stream, redirects: Redirects) => Stream,
): Stream {
  const given = shell.stdin.text === "" ? (shell.scope.input ?? shell.stdin) : shell.stdin;
  if (redirections.length === 0) return body(given, noRedirects);
  const place = placeOf(shell);
  const redirects = applyRedirects({ ...shell, argv: [], env: new Map() }, redirections, {
    targets: (word) => targetsOf(place, word),
    text: (word) => expandText(place, word),
    body: (parts) => expandParts(place, parts),
  });
  return redirects.finish(body(redirects.stdin ?? given, redirects));
}

function placeOf(shell: Shell): Place {
  return {
    run: shell.run,
    scope: shell.scope,
    stdin: shell.stdin,
    execute: (script, stdin) =>
      deeper(shell.run, noText, () => {
        spend(shell.run, shell.scope.vars.size >> 4);
        return runStatements({ ...shell, scope: copyScope(shell.scope), stdin }, script.commands);
      }),
  };
}
