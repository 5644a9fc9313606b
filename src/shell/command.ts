import { builtins } from "./builtins.ts";
import { familyOf } from "./code/names.ts";
import { scriptText } from "./fetched.ts";
import { runIfCmdlet, runInterpreter } from "./foreign.ts";
import { HOLE, isKnown, isOpaque, literally, shapeOf, withoutUnprinted } from "./marks.ts";
import { type Call, deeper, noText, type Stream, spend, textStream, unknownText } from "./model.ts";
import { withoutHoles } from "./options.ts";
import { printed } from "./output.ts";
import { baseOf } from "./place.ts";
import { fact, recordStep, unseen } from "./record.ts";
import type { Redirects } from "./redirect.ts";
import { isShell, noteOrigin, runCode, runShell } from "./shells.ts";
import { applyTool } from "./tools/apply.ts";
import { maybeCmdlet } from "./windows/names.ts";
import { runHooks } from "./wrap/hooks.ts";
import { unknownWrapper } from "./wrap/unknown.ts";
import { unwrap } from "./wrap/unwrap.ts";

/**
 * Looks at one simple command: what it runs inside, what it touches, what it prints. Aliases and
 * functions of the script come first, as in a shell.
 */
export function runCommand(call: Call, redirects: Redirects, inShell = true): Stream {
  if (!spend(call.run)) return noText;
  const word = withoutUnprinted(call.argv[0] ?? "");
  const own = (inShell ? runOwn(call, word) : null) ?? runOwnFile(call, word);
  if (own !== null) return own;
  const script = /^\/etc\/(?:rc\.d\/)?init\.d\/([\w.-]+)$/.exec(word)?.[1];
  if (script !== undefined)
    return runCommand({ ...call, argv: ["service", script, ...call.argv.slice(1)] }, redirects, false);
  const name = programName(word);
  const known = { ...call, argv: [name, ...withoutHoles(call.argv.slice(1))] };
  const builtin = builtins[name];
  if (builtin !== undefined && Object.hasOwn(builtins, name)) {
    const output = builtin(known, redirects);
    if (output !== null) return output;
  }
  runHooks(known, name);
  const inside = unwrap(known, name);
  if (inside !== null) return inside;
  recordStep(known, name);
  if (/^(?:nc|ncat|netcat|telnet|socat|openssl)$/.test(name)) judgePipe(known);
  if (isShell(name)) {
    if (redirects.toNetwork) fact(known, "network-shell");
    return runShell(known);
  }
  const cmdlet = call.run.windows || !maybeCmdlet(name) ? null : runIfCmdlet(known, name);
  if (cmdlet !== null) return cmdlet;
  const interpreted = familyOf(name) === null ? null : runInterpreter(known, name);
  if (interpreted !== null) return interpreted;
  if (isOpaque(word)) return isExpression(known) ? noText : runUnknown(known);
  unknownWrapper(known, name);
  applyTool(call.run.windows ? withoutSwitches(known) : known, name);
  return printed(known, name);
}

/** `… | sh -i | nc host 4444`: what a shell says goes to the network. */
function judgePipe(call: Call): void {
  const before = call.run.steps.at(-2);
  const reads = before !== undefined && isShell(before.name) && before.args.every((word) => word[0] === "-");
  if (reads && call.stdin.text !== "") fact(call, "network-shell");
}

/** `rmdir /s /q x` read as bash: the switches are no folders. */
function withoutSwitches(call: Call): Call {
  return { ...call, argv: call.argv.filter((word) => !/^\/[a-zA-Z]$/.test(word)) };
}

/** Aliases and functions that this very text defined. Programs that run others do not know them. */
function runOwn(call: Call, word: string): Stream | null {
  const { run, scope } = call;
  const alias = scope.aliases.get(word);
  if (alias !== undefined && !run.calls.includes(`alias ${word}`)) {
    run.calls.push(`alias ${word}`);
    const text = [alias, ...call.argv.slice(1).map(quoted)].join(" ");
    const output = run.engine.text(call, text, scope, call.stdin);
    run.calls.pop();
    return output;
  }
  const body = scope.functions.get(word);
  if (body !== undefined) {
    if (run.calls.filter((name) => name === word).length > 1) {
      if (run.detached) {
        recordStep(call, word);
        fact(call, "fork-bomb");
      }
      return noText;
    }
    run.calls.push(word);
    const output = run.engine.body(call, body);
    run.calls.pop();
    return output;
  }
  return null;
}

function runOwnFile(call: Call, word: string): Stream | null {
  const { scope } = call;
  const file = word.includes("/") || /\.(?:cmd|bat|exe)$/i.test(word) ? scriptText(scope, word) : undefined;
  if (file === undefined) return null;
  recordStep(call, baseOf(word));
  return runCode(call, file, { ...scope, params: call.argv.slice(1) });
}

/** Risky programs that a glob in the place of a command name may stand for. */
const globbable =
  "rm dd git sh bash zsh mv cp tee shred find chmod chown curl wget truncate python3 perl mkfs unlink".split(
    " ",
  );

/** Programs that package runners know under another name. */
const packaged: Readonly<Record<string, string>> = {
  "firebase-tools": "firebase",
  "netlify-cli": "netlify",
  "cdktf-cli": "cdktf",
  "@railway/cli": "railway",
  "@sentry/cli": "sentry-cli",
  "@aws-amplify/cli": "amplify",
  "@prisma/cli": "prisma",
};

function programName(word: string): string {
  const packed = /(?:cli|tools)(?:@[\w.^~-]+)?$/.test(word) ? withoutEnding(word) : "";
  const written = Object.hasOwn(packaged, packed) ? (packaged[packed] ?? "") : baseOf(word);
  const base = written.includes(".") || written.includes("@") ? withoutEnding(written) : written;
  if (word.startsWith("/proc/") && /^\/proc\/(?:self|thread-self|.*)\/exe$/.test(word)) return "bash";
  if (base.startsWith("ld") && /^ld(?:-linux[\w-]*)?\.so(?:\.\d)?$/.test(base)) return "command";
  if (isKnown(base) || isOpaque(base)) return base;
  const exact = shapeOf(base);
  return globbable.find((name) => exact.test(name)) ?? literally(base).replaceAll(HOLE, "");
}

/** Without what Windows adds, and without the version that a package runner is told: `npx rimraf@5`. */
function withoutEnding(name: string): string {
  const plain = name.replace(/(?<=\w)@(?:[\^~]?\d[\w.-]*|latest|next|beta|alpha|canary|rc)$/, "");
  return plain.replace(/\.(?:exe|cmd|bat)$/i, "").replace(/^nc\.(?:traditional|openbsd)$/, "nc");
}

/** `$x = …`, `$x -replace …`: in PowerShell a variable runs nothing unless `&` calls it, which its own reader sees. */
function isExpression({ run, argv }: Call): boolean {
  return run.windows && (run.world.powershell === true || /^(?:[-+*/%]|\?\?)?=$/.test(argv[1] ?? ""));
}

/** A program that only the running shell would know. Its arguments are weighed as those of the worst candidates. */
function runUnknown(call: Call): Stream {
  noteOrigin(call, textStream(call.argv[0] ?? ""));
  unseen(call, "which program an unknown word runs");
  const args = call.argv.slice(1);
  const candidates = args.some((arg) => /^-[a-zA-Z]*[rR]/.test(arg)) ? ["rm", "git"] : ["git"];
  for (const candidate of candidates) {
    const guess = { ...call, argv: [candidate, ...args] };
    deeper(call.run, null, () => {
      recordStep(guess, candidate);
      applyTool(guess, candidate);
      return null;
    });
  }
  return unknownText;
}

function quoted(word: string): string {
  return /^[\w./=:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
