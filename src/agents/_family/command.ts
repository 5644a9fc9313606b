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
