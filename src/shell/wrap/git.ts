import { isKnown, SOME } from "../marks.ts";
import { type Call, copyScope, type Stream } from "../model.ts";
import { optionValue, optionValues, type Parsed, readOptions } from "../options.ts";
import { absolute, baseOf, parentOf } from "../place.ts";

const globalOptions = "Cc git-dir work-tree namespace exec-path super-prefix config-env attr-source";

/**
 * Takes git's own options away from a git command line: `-C` becomes the working directory, `-c` a
 * setting that rules find in the environment as `config <key>`. Aliases are followed. Null when there is
 * nothing of that kind.
 */
export function gitAlias(call: Call): Stream | null {
  const words = call.argv.slice(1);
  const parsed = readOptions(words, globalOptions, true);
  const [verb, ...rest] = parsed.operands;
  runVariables(call);
  if (verb === undefined) return null;
  const env = settingsOf(call, parsed);
  const scope = copyScope(call.scope, { cwd: folderOf(call, parsed) });
  const alias = env.get(`config alias.${verb.toLowerCase()}`) ?? call.scope.aliases.get(`git ${verb}`);
  const nested = { ...call, env, scope };
  if (alias !== undefined && !call.run.calls.includes(`git ${verb}`)) {
    call.run.calls.push(`git ${verb}`);
    const output = runAlias(nested, alias, rest);
    call.run.calls.pop();
    return output;
  }
  if (parsed.options.length > 0 || env !== call.env) {
    return call.run.engine.inner(nested, ["git", verb, ...rest], { wrappers: call.wrappers });
  }
  return runInner(nested, verb, rest);
}

/** Settings and variables whose value git hands to a shell. */
const commandKeys =
  /^(?:core\.(?:pager|editor|sshcommand|askpass|fsmonitor|alternaterefscommand|gitproxy)|pager\..+|sequence\.editor|diff\.external|(?:diff|merge)\..+\.(?:command|textconv|driver)|(?:diff|merge)tool\..+\.cmd|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|remote\..+\.(?:uploadpack|receivepack)|interactive\.difffilter|sendemail\..+cmd|uploadpack\.packobjectshook|trailer\..+\.(?:command|cmd)|man\..+\.cmd|browser\..+\.cmd)$/;
const commandVariables =
  "GIT_SSH_COMMAND GIT_SSH GIT_PAGER PAGER GIT_EDITOR EDITOR VISUAL GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS GIT_PROXY_COMMAND".split(
    " ",
  );

function runVariables(call: Call): void {
  for (const name of commandVariables) {
    const value = call.env.get(name);
    if (value !== undefined && value !== "") runText(call, value);
  }
}

function settingsOf(call: Call, parsed: Parsed): ReadonlyMap<string, string> {
  const given = optionValues(parsed, "-c");
  const count = Number(call.env.get("GIT_CONFIG_COUNT") ?? 0);
  for (let at = 0; at < Math.min(count, 32); at++) {
    given.push(
      `${call.env.get(`GIT_CONFIG_KEY_${at}`) ?? ""}=${call.env.get(`GIT_CONFIG_VALUE_${at}`) ?? ""}`,
    );
  }
  const shared = call.env.get("GIT_CONFIG_PARAMETERS");
  if (shared !== undefined)
    given.push(
      ...[...shared.matchAll(/'([^']*)'(?:='([^']*)')?/g)].map((found) =>
        found[2] === undefined ? (found[1] ?? "") : `${found[1]}=${found[2]}`,
      ),
    );
  given.push(...optionValues(parsed, "--config-env"));
  if (given.length === 0) return call.env;
  const env = new Map(call.env);
  env.delete("GIT_CONFIG_PARAMETERS");
  env.delete("GIT_CONFIG_COUNT");
  for (const setting of given) {
    const equals = setting.indexOf("=");
    const key = (equals < 0 ? setting : setting.slice(0, equals)).toLowerCase();
    const value = equals < 0 ? "true" : setting.slice(equals + 1);
    env.set(`config ${key}`, value);
    if (commandKeys.test(key)) runText(call, value.replace(/^!/, ""));
  }
  return env;
}

function folderOf(call: Call, parsed: Parsed): string {
  let cwd = call.scope.cwd;
  for (const folder of optionValues(parsed, "-C")) cwd = absolute(cwd, folder);
  const tree = optionValue(parsed, "--work-tree") ?? call.env.get("GIT_WORK_TREE");
  if (tree !== undefined && tree !== null) return absolute(cwd, tree);
  const store = optionValue(parsed, "--git-dir") ?? call.env.get("GIT_DIR");
  if (store === undefined || store === null || !isKnown(store)) return cwd;
  const path = absolute(cwd, store);
  return baseOf(path) === ".git" ? parentOf(path) : path;
}

function runAlias(call: Call, alias: string, rest: readonly string[]): Stream {
  if (alias.startsWith("!")) return runText(call, [alias.slice(1), ...rest].join(" "));
  const words = readWords(alias);
  return call.run.engine.inner(call, ["git", ...words, ...rest], {
    wrappers: [...call.wrappers, "git alias"],
  });
}

function readWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (found) => found[1] ?? found[2] ?? found[3] ?? "",
  );
}

/** Subcommands that run other commands. */
function runInner(call: Call, verb: string, rest: readonly string[]): null {
  if (verb === "rebase") {
    for (const text of optionValues(readOptions(rest, "xsXC exec strategy onto"), "-x", "--exec"))
      runText(call, text);
  } else if (verb === "submodule") {
    const at = rest.indexOf("foreach");
    // It runs in each of them, wherever they are.
    const scope = copyScope(call.scope, { cwd: absolute(call.scope.cwd, `./${SOME}`) });
    if (at >= 0) runText({ ...call, scope }, readOptions(rest.slice(at + 1), "-", true).operands.join(" "));
  } else if (verb === "bisect" && rest[0] === "run") {
    call.run.engine.inner(call, rest.slice(1));
  } else if (verb === "filter-branch") {
    for (const found of optionValues(
      readOptions(rest, "- tree-filter index-filter msg-filter env-filter commit-filter"),
      "--tree-filter",
      "--index-filter",
      "--env-filter",
    )) {
      runText(call, found);
    }
  } else if (verb === "difftool" || verb === "mergetool") {
    for (const text of optionValues(readOptions(rest, "xt extcmd tool"), "-x", "--extcmd"))
      runText(call, text);
  } else if (Object.hasOwn(programOptions, verb)) {
    const [spec = "-", ...names] = programOptions[verb]?.split(" | ") ?? [];
    for (const text of optionValues(readOptions(rest, spec), ...names)) runProgram(call, verb, text);
  } else if (verb === "for-each-repo")
    call.run.engine.inner(call, ["git", ...readOptions(rest, "- config", true).operands]);
  else if (verb === "config") runSetting(call, rest);
  return null;
}

/** Options of subcommands that name a program, after the letters and names that take values. */
const programOptions: Readonly<Record<string, string>> = {
  grep: "efABCmO? open-files-in-pager | -O | --open-files-in-pager",
  clone: "bocju upload-pack config template depth branch origin | -u | --upload-pack | -c | --config",
  fetch: "jo upload-pack depth | --upload-pack",
  pull: "jXs upload-pack depth strategy | --upload-pack",
  "ls-remote": "o upload-pack | --upload-pack",
  push: "o receive-pack exec repo | --receive-pack | --exec",
  archive: "o exec remote format prefix output | --exec",
};

function runProgram(call: Call, verb: string, text: string): void {
  const setting = verb === "clone" ? /^([\w.-]+)=(.*)$/s.exec(text) : null;
  if (setting === null) runText(call, text);
  else if (commandKeys.test((setting[1] ?? "").toLowerCase())) runText(call, setting[2] ?? "");
}

/** `git config key value`: an alias or command that is set now runs later. */
function runSetting(call: Call, rest: readonly string[]): void {
  const { operands } = readOptions(rest, "f file blob type default");
  const [key = "", value] = operands[0] === "set" ? operands.slice(1) : operands;
  if (value === undefined) return;
  const name = key.toLowerCase();
  if (name.startsWith("alias.")) {
    call.scope.aliases.set(`git ${key.slice(6)}`, value);
    if (value.startsWith("!")) runText(call, value.slice(1));
    else
      call.run.engine.inner(call, ["git", ...readWords(value)], {
        wrappers: [...call.wrappers, "git alias"],
      });
  } else if (commandKeys.test(name)) runText(call, value.replace(/^!/, ""));
}

function runText(call: Call, text: string): Stream {
  return call.run.engine.text(
    { ...call, wrappers: [...call.wrappers, "git"] },
    text,
    copyScope(call.scope),
    call.stdin,
  );
}
