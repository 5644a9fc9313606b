import { managedMark } from "../../core/setup.ts";

/**
 * What Cline runs before every tool, in the CLI and in the editor extensions. `plugin` tells the hook that our
 * CLI plugin is awake in this session. A script of the person's that stood here speaks when Holdfast is silent.
 */
export const script = `#!/bin/sh
# ${managedMark}
d=$(dirname "$0")
payload=$(cat)
home="\${HOLDFAST_HOME:-$HOME/.holdfast}"
h="$home/bin/holdfast"
[ -x "$h" ] || h=holdfast
if command -v "$h" >/dev/null 2>&1; then
  session=$(printf '%s' "$payload" | sed -n 's/.*"rootSessionId":"\\([A-Za-z0-9_-]*\\)".*/\\1/p' | head -n 1)
  plugin=
  [ -n "$session" ] && [ -e "$home/alive/cline.$session" ] && plugin=plugin
  said=$(printf '%s' "$payload" | "$h" hook cline pre-tool $plugin) || said=
  if [ -n "$said" ]; then
    printf '%s\\n' "$said"
    exit 0
  fi
fi
own="$d/PreToolUse.local"
if [ -x "$own" ]; then
  printf '%s' "$payload" | "$own"
elif [ -f "$own" ]; then
  printf '%s' "$payload" | bash "$own"
fi
exit 0
`;

/** The same for Windows. Not run: no Windows machine was at hand. */
export const windowsScript = `# ${managedMark}
$payload = [Console]::In.ReadToEnd()
$base = if ($env:HOLDFAST_HOME) { $env:HOLDFAST_HOME } else { Join-Path $env:USERPROFILE '.holdfast' }
$h = Join-Path $base 'bin\\holdfast.cmd'
if (-not (Test-Path $h)) {
  $found = Get-Command holdfast -ErrorAction SilentlyContinue
  $h = if ($found) { $found.Source } else { $null }
}
if ($h) {
  $plugin = @()
  if ($payload -match '"rootSessionId":"([A-Za-z0-9_-]+)"') {
    if (Test-Path (Join-Path $base "alive\\cline.$($Matches[1])")) { $plugin = @('plugin') }
  }
  $said = $payload | & $h hook cline pre-tool @plugin
  if ($said) {
    $said
    exit 0
  }
}
$own = Join-Path $PSScriptRoot 'PreToolUse.local.ps1'
if (Test-Path $own) { $payload | & $own }
exit 0
`;
