import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { managedMark } from "../core/setup.ts";
import { makePrivateDir, readText, writeAtomic } from "../runtime/files.ts";
import { removeEmpty } from "./disk.ts";
import { stampText } from "./edit/own-file.ts";

/** The program that runs now, as it will be looked for later. All absolute. */
export interface Program {
  /** The Node that runs it, `process.execPath`. */
  readonly node: string;
  /** Its entry file; what it needs lies in the same folder. */
  readonly entry: string;
  readonly version: string;
}

/** The path agents' configs lead to. */
export function launcherPath(holdfastHome: string): string {
  return join(holdfastHome, "bin", "holdfast");
}

/**
 * Writes `bin/holdfast` and keeps a copy of the program in `lib/<version>`, for the day the package or its Node
 * is gone. Safe to repeat. Throws what the file system throws.
 */
export function installLauncher(holdfastHome: string, program: Program, platform: string): void {
  makePrivateDir(holdfastHome);
  mkdirSync(join(holdfastHome, "bin"), { recursive: true });
  keepCopy(holdfastHome, program);
  writeAtomic(launcherPath(holdfastHome), stampText(launcherScript(program)), { mode: 0o755 });
  if (platform !== "win32") return;
  writeAtomic(`${launcherPath(holdfastHome)}.cmd`, stampText(windowsLauncher(program)), { mode: 0o755 });
}

/** Takes out the launcher and the copies, and their folders when nothing else is in them. */
export function removeLauncher(holdfastHome: string): void {
  for (const name of ["holdfast", "holdfast.cmd"]) rmSync(join(holdfastHome, "bin", name), { force: true });
  rmSync(join(holdfastHome, "lib"), { recursive: true, force: true });
  removeEmpty([join(holdfastHome, "bin")]);
}

/** True when the launcher is the one this program would write. */
export function launcherIsCurrent(holdfastHome: string, program: Program): boolean {
  return readText(launcherPath(holdfastHome)) === stampText(launcherScript(program));
}

/** Only a built program can be copied: one folder of bundles that need nothing outside it. */
function keepCopy(holdfastHome: string, program: Program): void {
  const from = dirname(program.entry);
  const lib = join(holdfastHome, "lib");
  const to = join(lib, program.version);
  if (!existsSync(join(from, "hook.cjs")) || resolve(from) === resolve(to)) return;
  const fresh = join(lib, `.${program.version}.${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isFile()) writeFileSync(join(fresh, entry.name), readFileSync(join(from, entry.name)));
  }
  rmSync(to, { recursive: true, force: true });
  renameSync(fresh, to);
  for (const old of readdirSync(lib)) {
    if (old !== program.version) rmSync(join(lib, old), { recursive: true, force: true });
  }
}

/**
 * The script agents call. It never keeps anybody from working: for `hook` it ends with 0 whatever goes wrong, warns on
 * stderr, as the hook itself does, and leaves a line in `breadcrumbs.log`, which doctor shows (see `readUnchecked`).
 * The one exception is git, whose hook script recognises a real refusal. What doctor starts leaves no line.
 * POSIX sh; until Node starts it runs no other program, as it is in the way of every tool call.
 */
function launcherScript(program: Program): string {
  return `#!/bin/sh
# ${managedMark}
# Starts Holdfast with the Node it was installed with, else with another one that is new enough.

node=${quoted(program.node)}
entry=${quoted(program.entry)}

case $0 in
  */*) home=\${0%/*}/.. ;;
  *) home=\${HOLDFAST_HOME:-\${HOME:-}/.holdfast} ;;
esac
[ -d "$home/lib" ] || home=\${HOLDFAST_HOME:-\${HOME:-}/.holdfast}

give_up() {
  crumbs=$home/breadcrumbs.log
  if [ -f "$crumbs" ] && [ "$(wc -c <"$crumbs")" -gt 100000 ]; then : >"$crumbs"; fi 2>/dev/null
  if [ -z "\${HOLDFAST_DOCTOR:-}" ]; then
    { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $1 in $PWD" >>"$crumbs"; } 2>/dev/null
  fi
  [ "$command" = hook ] || { echo "holdfast: $1" >&2; exit 3; }
  echo "holdfast: $1; nothing was checked. See: holdfast doctor" >&2
  exit 0
}

try() {
  [ -f "$1" ] && [ -x "$1" ] || return 1
  case $("$1" --version 2>/dev/null </dev/null) in
    v2[0-9].* | v[3-9][0-9].*) node=$1 ;;
    *) return 1 ;;
  esac
}

find_node() {
  try "$(command -v node 2>/dev/null)" && return
  h=\${HOME:-}
  for n in "\${NVM_BIN:-}/node" "\${NVM_DIR:-$h/.nvm}"/versions/node/*/bin/node \\
    "$h"/.volta/bin/node "$h"/.volta/tools/image/node/*/bin/node \\
    "\${FNM_DIR:-$h/.local/share/fnm}"/node-versions/*/installation/bin/node \\
    "$h"/.fnm/node-versions/*/installation/bin/node \\
    "\${ASDF_DATA_DIR:-$h/.asdf}"/installs/nodejs/*/bin/node \\
    "\${MISE_DATA_DIR:-$h/.local/share/mise}"/installs/node/*/bin/node \\
    "\${NODENV_ROOT:-$h/.nodenv}"/versions/*/bin/node "\${N_PREFIX:-$h/n}"/bin/node \\
    /opt/homebrew/bin/node /usr/local/bin/node /usr/bin/node /snap/bin/node; do
    try "$n" && return
  done
  return 1
}

command=\${1:-}
[ -f "$entry" ] || entry=$home/lib/${program.version}/holdfast.cjs
[ -f "$entry" ] || give_up "the program is gone ($*)"
[ -x "$node" ] || find_node || give_up "no Node 20 or newer was found ($*)"

[ "$command" = hook ] || exec "$node" "$entry" "$@"

"$node" "$entry" "$@"
code=$?
[ $code -eq 0 ] && exit 0
[ $code -eq 1 ] && [ "\${2:-}" = git ] && exit 1
give_up "$node ended with $code ($*)"
`;
}

/** The same for cmd.exe, but that a failure is only said and not recorded. Not run: no Windows machine was at hand. */
function windowsLauncher(program: Program): string {
  const plain = (path: string) => path.replaceAll("%", "%%");
  return [
    "@echo off",
    `rem ${managedMark}`,
    "setlocal",
    `set "node=${plain(program.node)}"`,
    'if not exist "%node%" set "node=node"',
    `set "entry=${plain(program.entry)}"`,
    `if not exist "%entry%" set "entry=%~dp0..\\lib\\${program.version}\\holdfast.cjs"`,
    '"%node%" "%entry%" %*',
    "set code=%errorlevel%",
    'if "%1"=="hook" if not "%2"=="git" if not "%code%"=="0" echo holdfast: ended with %code%; nothing was checked 1>&2',
    'if "%1"=="hook" if not "%2"=="git" exit /b 0',
    "exit /b %code%",
    "",
  ].join("\r\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
