import { globbed, hasUnknown } from "../marks.ts";
import { type Call, copyScope, noText, type Scope, type Stream, unknownText } from "../model.ts";
import { has, optionValue, optionValues, type Parsed, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { recordStep, touch } from "../record.ts";
import { boxed, bundledKubectl, compose, dockerRun, kubectl } from "./container.ts";
import { fd, parallel, xargs } from "./each.ts";
import { find } from "./find.ts";
import { gitAlias } from "./git.ts";
import { aws, az, framework, gcloud, nix } from "./handed.ts";
import { away, inside } from "./inside.ts";
import { denoPackage, npmScript, packageRunner } from "./package-runner.ts";
import { ansible, bwrap, osascript, setarch, tcl, timeit } from "./programs.ts";
import { type Wrapper, wrappers } from "./table.ts";
import { expect, fromStdin, make, screen, tmux } from "./typed.ts";

/**
 * Follows a program that runs another one. Gives what the inner command prints, or null when the program
 * is no wrapper, or not one in this form.
 */
export function unwrap(call: Call, name: string): Stream | null {
  if (Object.hasOwn(special, name)) return special[name]?.(call) ?? null;
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper === undefined) return framework(call, name);
  return runWrapper(call, name, wrapper);
}

function runWrapper(call: Call, name: string, wrapper: Wrapper): Stream | null {
  let words = call.argv.slice(1);
  if (wrapper.after !== undefined) {
    const first = readOptions(words, wrapper.options ?? "-", true).operands[0];
    const at = words.findIndex(
      (word) =>
        wrapper.after?.includes(word) &&
        (word === first || word.startsWith("-") || wrapper.anywhere === true),
    );
    if (at < 0) return null;
    words = words.slice(at + 1);
  }
  const parsed = readOptions(words, wrapper.options ?? "-", true);
  for (const file of wrapper.writes ?? []) {
    const path = optionValue(parsed, file);
    if (path !== null) touch(call, "write", path, `${name} writes its report`);
  }
  const lock = wrapper.locks === true ? (parsed.operands[0] ?? "") : "";
  if (/\D/.test(lock)) touch(call, "write", lock, `${name} makes its lock file`, { keeps: true });
  const scope = scopeFor(call, wrapper, parsed);
  // The option with the command may also follow the name of a machine.
  const options =
    wrapper.place !== undefined || wrapper.anywhere === true
      ? readOptions(words, wrapper.options ?? "-")
      : parsed;
  const text = wrapper.text === undefined ? null : optionValue(options, ...wrapper.text);
  if (text !== null)
    return inside(call, name, wrapper.joined === true ? [text, ...parsed.operands].join(" ") : text, scope);
  const { env, rest } =
    wrapper.vars === true ? variables(call, parsed.operands) : { env: call.env, rest: parsed.operands };
  const dashes = wrapper.dashes === true ? rest.indexOf("--") : -1;
  const command = rest.slice(dashes > 0 ? dashes : (wrapper.skip ?? 0));
  if (command[0] === "--") command.shift();
  if (name === "hatch") command[0] = (command[0] ?? "").replace(/^[\w.-]+:/, "");
  if (wrapper.text?.includes(command[0] ?? "") === true) return inside(call, name, command[1] ?? "", scope);
  if (command.length === 0) return emptyWrapper(call, name, parsed, scope);
  if (wrapper.joined === true)
    return inside(call, name, severalTexts.test(name) ? command.join(" ; ") : joinedWords(command), scope);
  if (name === "sudo" && has(parsed, "-e", "--edit")) {
    for (const file of command) touch(call, "write", file, "sudo -e edits its arguments");
    return noText;
  }
  // `sudo -i 'rm -rf /'`: meant as a line for the shell, though sudo itself would take it for one name.
  if (name === "sudo" && shellOf(parsed) && command.length === 1 && /\s/.test(command[0] ?? ""))
    return inside(call, name, command[0] ?? "", scope);
  return call.run.engine.inner(call, command, { env, scope });
}

/** Each word is a command of its own. */
const severalTexts = /^(?:concurrently|start-server-and-test)$/;

/** Words as one line; what was quoted stays together, as what still carries quotes of its own does. */
function joinedWords(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return words
    .map((word, at) =>
      at > 0 && /\s/.test(word) && !/^(["']).*\1$/s.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word,
    )
    .join(" ");
}

/** `sudo -s` with a script on standard input, or a wrapper with nothing to run. */
function emptyWrapper(call: Call, name: string, parsed: Parsed, scope: Scope): Stream {
  if (shellOf(parsed) && call.stdin.text !== "") {
    return call.run.engine.inner(call, ["sh"], { scope });
  }
  recordStep(call, name);
  return unknownText;
}

function shellOf(parsed: Parsed): boolean {
  return has(parsed, "-s", "-i", "--shell", "--login");
}

function scopeFor(call: Call, wrapper: Wrapper, parsed: Parsed): Scope {
  const folder = wrapper.folder === undefined ? null : optionValue(parsed, ...wrapper.folder);
  if (wrapper.place !== undefined) return away(call, wrapper.place);
  return folder === null ? call.scope : copyScope(call.scope, { cwd: absolute(call.scope.cwd, folder) });
}

function variables(
  call: Call,
  words: readonly string[],
): { env: ReadonlyMap<string, string>; rest: string[] } {
  let at = 0;
  const env = new Map(call.env);
  for (; at < words.length; at++) {
    const found = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[at] ?? "");
    if (found === null) break;
    env.set(found[1] ?? "", found[2] ?? "");
  }
  return { env, rest: words.slice(at) };
}

const special: Readonly<Record<string, (call: Call) => Stream | null>> = {
  env,
  genv: env,
  sg,
  setarch,
  timeit,
  newgrp: su,
  bwrap,
  osascript,
  tclsh: tcl,
  ansible,
  ip: (call) =>
    call.argv[1] === "netns" && call.argv[2] === "exec"
      ? call.run.engine.inner(call, call.argv.slice(4))
      : null,
  gcloud,
  aws,
  az,
  nix: (call) => nix(call) ?? runWrapper(call, "nix", { after: ["-c", "--command"] }),
  hub: (call) =>
    gitVerbs.test(call.argv[1] ?? "") ? call.run.engine.inner(call, ["git", ...call.argv.slice(1)]) : null,
  forfiles: (call) => {
    const words = call.argv.slice(1);
    const at = words.findIndex((word) => /^[-/]c$/i.test(word));
    const after = (flag: RegExp) => words.find((_, here) => flag.test(words[here - 1] ?? ""));
    const item = `${after(/^[-/]p$/i) ?? "."}\\${globbed(after(/^[-/]m$/i) ?? "*")}`;
    const text = (words[at + 1] ?? "").replace(/@(?:file|path|relpath)/gi, () => item);
    return at < 0 ? null : call.run.engine.windows(call, text, copyScope(call.scope), noText);
  },
  su,
  runuser: su,
  script,
  ssh,
  autossh: ssh,
  mosh: ssh,
  tmux,
  byobu: tmux,
  screen,
  at: fromStdin,
  batch: fromStdin,
  expect,
  make,
  gmake: make,
  find,
  gfind: find,
  fd,
  fdfind: fd,
  xargs,
  gxargs: xargs,
  parallel,
  "rust-parallel": parallel,
  rush: (call) => (call.argv[1] === "publish" ? null : parallel(call)),
  docker: dockerRun,
  podman: dockerRun,
  nerdctl: dockerRun,
  finch: (call) =>
    call.run.engine.inner(call, ["nerdctl", ...call.argv.slice(1)], { wrappers: call.wrappers }),
  "docker-compose": (call) => compose(call, call.argv.slice(1)),
  "podman-compose": (call) => compose(call, call.argv.slice(1)),
  kubectl,
  k: kubectl,
  oc: kubectl,
  kubecolor: kubectl,
  "microk8s.kubectl": kubectl,
  k3s: bundledKubectl,
  k0s: bundledKubectl,
  microk8s: bundledKubectl,
  minikube: (call) =>
    bundledKubectl(call) ?? runWrapper(call, "minikube", { after: ["ssh"], joined: true, place: "remote" }),
  git: gitAlias,
  yarn: packageRunner,
  npm: (call) => npmScript(call) ?? runWrapper(call, "npm", wrappers.npm ?? {}),
  deno: denoPackage,
  ddev: boxed,
  lando: boxed,
  pnpm: packageRunner,
  bun: packageRunner,
  crontab: (call) => {
    recordStep(call, "crontab");
    const jobs = call.stdin.text.replace(/^(?:[\d*/,-]+\s+){5}|^@\w+\s+/gm, "");
    if (call.argv[1] === "-" && !hasUnknown(jobs)) inside(call, "crontab", jobs, call.scope);
    return noText;
  },
};

const gitVerbs =
  /^(?:push|reset|clean|checkout|restore|commit|branch|stash|switch|rebase|merge|rm|mv|apply|am)$/;

function env(call: Call): Stream {
  // `env -` is `env -i`.
  const words = call.argv.slice(1).map((word) => (word === "-" ? "-i" : word));
  const parsed = readOptions(words, "uSCPa unset split-string chdir argv0", true);
  const folder = optionValue(parsed, "-C", "--chdir");
  const scope =
    folder === null ? call.scope : copyScope(call.scope, { cwd: absolute(call.scope.cwd, folder) });
  const split = optionValue(parsed, "-S", "--split-string");
  if (split !== null) return inside(call, "env", [split, ...parsed.operands].join(" "), scope);
  const cleared = has(parsed, "-i", "--ignore-environment");
  const found = variables(cleared ? { ...call, env: new Map() } : call, parsed.operands);
  const env = new Map(found.env);
  // How rules find it.
  if (cleared && !env.has("HOME")) env.set("unset HOME", "");
  for (const name of optionValues(parsed, "-u", "--unset")) {
    env.delete(name);
    env.set(`unset ${name}`, "");
  }
  if (found.rest.length > 0) return call.run.engine.inner(call, found.rest, { env, scope });
  recordStep(call, "env");
  return unknownText;
}

function su(call: Call): Stream {
  const words = call.argv.slice(1);
  const at = words.findIndex((word) => /^-[a-z]*c$|^--command$|^--session-command$/.test(word));
  const attached = words.find((word) => word.startsWith("--command="));
  const text = attached !== undefined ? attached.slice(10) : at < 0 ? undefined : words[at + 1];
  if (text !== undefined) return inside(call, "su", text, call.scope);
  const dashes = words.indexOf("--");
  const rest =
    dashes >= 0 ? words.slice(dashes + 1) : readOptions(words, "ugGsw user group shell", true).operands;
  if (call.argv[0] === "runuser" && rest.length > 0) return call.run.engine.inner(call, rest);
  recordStep(call, call.argv[0] ?? "su");
  return call.stdin.text === "" ? unknownText : inside(call, "su", call.stdin.text, call.scope);
}

/** `sg group 'command'`. */
function sg(call: Call): Stream {
  const [, text] = readOptions(call.argv.slice(1), "-", true).operands;
  return text === undefined || text === "-c" ? su(call) : inside(call, "sg", text, call.scope);
}

function script(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "cEoTIOBm command");
  const text = optionValue(parsed, "-c", "--command");
  const [file, ...command] = parsed.operands;
  if (file !== undefined) touch(call, "write", file, "script writes its record");
  // As on BSD: `script file command`.
  if (text === null && command.length > 0) return call.run.engine.inner(call, command);
  return text === null ? unknownText : inside(call, "script", text, call.scope);
}

const sshOptions = "BbcDEeFIiJLlmOopQRSWw";

function ssh(call: Call): Stream {
  const options = call.argv[0] === "autossh" ? `M${sshOptions}` : sshOptions;
  const [, ...after] = readOptions(call.argv.slice(1), options, true).operands;
  // Options may also follow the host.
  const command = joinedWords(
    readOptions(after, options, true).operands.filter((word, at) => at > 0 || word !== "--"),
  );
  const text = command === "" ? call.stdin.text : command;
  if (text === "" || hasUnknown(text[0] ?? "")) return unknownText;
  return { ...inside(call, "ssh", text, away(call, "remote")), from: "network" };
}
