import { hasUnknown } from "../marks.ts";
import { type Call, copyScope, noText } from "../model.ts";
import { optionValues, readOptions } from "../options.ts";

/** Where a program that is no wrapper takes a command to run all the same. */
interface Hook {
  /** Options that take a value, as in `readOptions`. */
  readonly options: string;
  readonly names: readonly string[];
  /** The command in the value; null when there is none. */
  readonly command?: RegExp;
}

const tar: Hook = {
  options:
    "fCTXIFbgKLNV file directory to-command checkpoint-action use-compress-program info-script rsh-command",
  names: [
    "--to-command",
    "--checkpoint-action",
    "-I",
    "--use-compress-program",
    "-F",
    "--info-script",
    "--rsh-command",
  ],
  command: /^(?:exec=)?(?!(?:dot|echo|sleep|bell|ttyout|totals)\b)(.*)$/s,
};

/** `-S program`, `-o ProxyCommand=program`; other settings run nothing. */
const transport =
  /^\s*(?:(?:proxycommand|localcommand|knownhostscommand)\s*[= ]\s*|(?!\w+\s*[= ]\s*[\w.-]+\s*$))(.*)$/is;

const hooks: Readonly<Record<string, Hook>> = {
  tar,
  gtar: tar,
  bsdtar: tar,
  rsync: { options: "efTBM rsh rsync-path", names: ["-e", "--rsh", "--rsync-path"] },
  scp: { options: "PioFJlcSDX", names: ["-S", "-o"], command: transport },
  sftp: { options: "PioFJlcSDXbBR", names: ["-S", "-o"], command: transport },
  ssh: {
    options: "BbcDEeFIiJLlmOopQRSWw",
    names: ["-o"],
    command: /^\s*(?:proxycommand|localcommand|knownhostscommand)\s*[= ]\s*(.*)$/is,
  },
  man: { options: "CLmMSseEpPHRr pager html preprocessor", names: ["-P", "--pager"] },
  split: { options: "abCln filter suffix-length bytes lines number", names: ["--filter"] },
  sort: { options: "kotTS compress-program key output", names: ["--compress-program"] },
  zip: { options: "bti unzip-command", names: ["--unzip-command"] },
  fzf: {
    options: "- preview bind query",
    names: ["--preview", "--bind"],
    command: /^(?:.*?(?:execute|execute-silent|become|reload|preview)[(:])?(.*?)\)?$/s,
  },
  hyperfine: {
    options: "wrmMPLsSCinpc warmup runs prepare setup cleanup conclude",
    names: ["-p", "--prepare", "-s", "--setup", "-c", "--cleanup", "--conclude"],
  },
  hg: {
    options: "- config",
    names: ["--config"],
    command: /^(?:alias\.[^=]+=!|hooks\.[^=]+=(?!python:)|ui\.(?:ssh|editor)=|pager\.pager=)(.*)$/s,
  },
  tcpdump: { options: "wirczGCW", names: ["-z"] },
};
/** Variables whose value some program hands to a shell. */
const variables =
  "EDITOR VISUAL PAGER MANPAGER BROWSER BASH_ENV ENV PROMPT_COMMAND LESSOPEN LESSCLOSE RSYNC_RSH SUDO_EDITOR SUDO_ASKPASS SVN_SSH CVS_RSH".split(
    " ",
  );

/** Runs the commands that hang on a program's options and variables: `tar --to-command`, `PAGER=… man`. */
export function runHooks(call: Call, name: string): void {
  for (const variable of call.env.size === 0 ? [] : variables) {
    const value = call.env.get(variable);
    // What it runs sees the same variable.
    if (value === undefined || call.run.calls.includes(variable)) continue;
    call.run.calls.push(variable);
    runText(call, value.replace(/^\|/, ""));
    call.run.calls.pop();
  }
  const words = call.argv.slice(1);
  if (name === "make") for (const word of words) if (word.startsWith("SHELL=")) runText(call, word.slice(6));
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) packageScripts(call, words);
  if (name === "gdb" || name === "lldb") debuggerCommands(call, words);
  if (name === "less" || name === "more")
    for (const word of words) if (word.startsWith("+!")) runText(call, word.slice(2));
  if (name === "cmake" && words[0] === "-E") cmakeTool(call, words.slice(1));
  if (name === "cargo" && words[0] === "watch") watched(call, words.slice(1));
  if (name === "deno" && words[0] === "task")
    for (const text of optionValues(readOptions(words, "- eval"), "--eval")) runText(call, text);
  if (/^mongo(?:sh)?$/.test(name))
    for (const code of optionValues(readOptions(words, "- eval host port"), "--eval"))
      call.run.engine.inner(call, ["node", "-e", code], { stdin: noText });
  for (const word of name === "git" ? words : [])
    if (word.startsWith("ext::")) runText(call, word.slice(5).replace(/%(.)/g, "\\$1"));
  if (name === "zip") runText(call, words[words.indexOf("-TT") + 1 || words.length] ?? "");
  if (/^(?:dc|m4|gnuplot|ftp|lftp|sftp)$/.test(name)) shellWords(call, name, words);
  const hook = Object.hasOwn(hooks, name) ? hooks[name] : undefined;
  if (hook === undefined) return;
  for (const value of optionValues(readOptions(words, hook.options), ...hook.names)) {
    const command = hook.command === undefined ? value : hook.command.exec(value)?.[1];
    if (command !== undefined) runText(call, command);
  }
}

/** Languages that are no more than a few words, on standard input or after `-e`: m4's `syscmd`, dc's `!`. */
function shellWords(call: Call, name: string, words: readonly string[]): void {
  const code = [...words, call.stdin.text].join("\n");
  const shape = name === "m4" ? /\be?syscmd\(`?([^')]{0,500})/g : /^\s*!\s*(.+)$/gm;
  for (const found of code.matchAll(shape)) runText(call, found[1] ?? "");
}

/** `npm pkg set scripts.x=… && npm run x`: the script is what this very text says. */
function packageScripts(call: Call, words: readonly string[]): void {
  const { aliases } = call.scope;
  const [verb = "", ...rest] = words.filter((word) => !word.startsWith("-"));
  for (const word of verb === "pkg" && rest[0] === "set" ? rest : []) {
    const [, script, text] = /^scripts\.([^=]+)=(.*)$/s.exec(word) ?? [];
    if (script !== undefined && text !== undefined) aliases.set(`npm run ${script}`, text);
  }
  const script = /^run(?:-script)?$/.test(verb) ? rest[0] : verb;
  const key = `npm run ${script}`;
  const text = aliases.get(key);
  if (text === undefined || call.run.calls.includes(key)) return;
  call.run.calls.push(key);
  runText(call, text);
  call.run.calls.pop();
}

/** `cargo watch -s text`, `cargo watch -- command`. */
function watched(call: Call, words: readonly string[]): void {
  const parsed = readOptions(words, "sxwiCd shell exec watch");
  for (const text of optionValues(parsed, "-s", "--shell")) runText(call, text);
  const command = parsed.operands.slice(parsed.beforeDashes);
  if (command.length > 0) call.run.engine.inner(call, command);
}

/** `cmake -E`: the commands that it brings along. */
function cmakeTool(call: Call, words: readonly string[]): void {
  const [verb = "", ...rest] = words;
  const as = {
    remove: ["rm", "-f"],
    remove_directory: ["rm", "-rf"],
    rename: ["mv"],
    copy: ["cp"],
    rm: ["rm"],
    touch: ["touch"],
    env: ["env"],
    time: [],
  };
  const program = Object.entries(as).find(([name]) => name === verb)?.[1];
  if (program !== undefined) call.run.engine.inner(call, [...program, ...rest]);
}

/** `gdb -ex 'shell …'`. */
function debuggerCommands(call: Call, words: readonly string[]): void {
  words.forEach((word, at) => {
    if (!/^--?(?:o|O|one-line|ex|iex|eval-command)$/.test(word)) return;
    const found = /^\s*(?:((?:platform\s+)?shell\s+|make\s+|!)|(?:python|script)\s+)(.*)$/s.exec(
      words[at + 1] ?? "",
    );
    if (found?.[1] !== undefined) runText(call, found[2] ?? "");
    else if (found !== null) call.run.engine.inner(call, ["python3", "-c", found[2] ?? ""]);
  });
}

function runText(call: Call, text: string): void {
  if (text === "" || hasUnknown(text[0] ?? "")) return;
  call.run.engine.text(call, text, copyScope(call.scope), call.stdin);
}
