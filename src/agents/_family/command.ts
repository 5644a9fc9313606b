/**
 * The command line agents' configs call. It must never change between versions: Codex trusts hooks by
 * the hash of this text, and uninstall recognises it as a whole. The launcher is tried first, then
 * `holdfast` on PATH. A machine without Holdfast, or one whose Node is gone, is not held up: the guard in
 * front covers a missing program, `|| exit 0` a program that cannot start (an exit 2 or 127 would read
 * as deny). ran: Claude Code 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102, 2026-11-30.
 */
export function hookCommand(agent: string, event: string): string {
  return `h="\${HOLDFAST_HOME:-$HOME/.holdfast}/bin/holdfast"; [ -x "$h" ] || h=holdfast; command -v "$h" >/dev/null 2>&1 || exit 0; "$h" hook ${agent} ${event} || exit 0`;
}

/** The same for cmd.exe. Not run: no Windows machine was at hand. */
export function windowsHookCommand(agent: string, event: string): string {
  return `cmd /d /c "where holdfast >nul 2>nul && holdfast hook ${agent} ${event} || exit /b 0"`;
}

/** The same for PowerShell, where an agent has a field for it. Not run: no Windows machine was at hand. */
export function powershellHookCommand(agent: string, event: string): string {
  return `if (Get-Command holdfast -ErrorAction SilentlyContinue) { holdfast hook ${agent} ${event} }; exit 0`;
}

/** The line on stdout that says that the call is refused (see `exitHookCommand`). */
export const refusedLine = "holdfast: refused";

/**
 * For agents that hear a refusal as exit code 2 with the reason on stderr. The code is made here, from a line that
 * only Holdfast writes: a shell or an interpreter that cannot start may exit with 2 as well.
 */
export function exitHookCommand(agent: string, event: string): string {
  return `${findProgram} || exit 0; s=$("$h" hook ${agent} ${event}); [ "$s" = "${refusedLine}" ] && exit 2; printf %s "$s"; exit 0`;
}

/** For agents that take silence for a failure: without an answer of Holdfast's the `fallback` is printed. */
export function answeringHookCommand(agent: string, event: string, fallback: string): string {
  return `${findProgram} && s=$("$h" hook ${agent} ${event}) && [ -n "$s" ] || s='${fallback}'; printf '%s\\n' "$s"`;
}

/**
 * For an agent that hands the payload to the last simple command of the line as a here-document: nothing may
 * stand behind it, so that the whole is one command. A program that cannot start, or a foreign one of our name that
 * ends with 2, lets the call through here as well.
 */
export function lastHookCommand(agent: string, event: string): string {
  return `sh -c '${hookCommand(agent, event)}'`;
}

const findProgram = `h="\${HOLDFAST_HOME:-$HOME/.holdfast}/bin/holdfast"; [ -x "$h" ] || h=holdfast; command -v "$h" >/dev/null 2>&1`;
