import { type AgentSetup, type FilePlan, type Machine, managedMark, type Scope } from "../../core/setup.ts";
import { agent } from "./index.ts";

/**
 * The person's own hook runs first. A Holdfast that is not found (it was removed, or HOME leads elsewhere) lets the
 * commit through and says so. Only a refusal that says so stops the commit: a Node that cannot start
 * also exits 1, and must not lock anyone out of committing.
 */
const script = `#!/bin/sh
# ${managedMark}
d=$(dirname "$0")
if [ -x "$d/pre-commit.local" ]; then
  "$d/pre-commit.local" "$@" || exit $?
fi
h="\${HOLDFAST_HOME:-$HOME/.holdfast}/bin/holdfast"
[ -x "$h" ] || h=holdfast
command -v "$h" >/dev/null 2>&1 || { echo "holdfast: not found, so this commit was not checked" >&2; exit 0; }
said=$("$h" hook git pre-commit "$@")
if [ $? -eq 1 ] && [ "$said" = "holdfast: commit refused" ]; then
  echo "$said" >&2
  exit 1
fi
exit 0
`;

/**
 * Does nothing on a machine without Holdfast. It ends the script itself, as a line in the middle of a script that
 * goes on after a failure would stop nothing, and only at a refusal, as above.
 */
const handLine = `h="\${HOLDFAST_HOME:-$HOME/.holdfast}/bin/holdfast"; [ -x "$h" ] || h=holdfast; if command -v "$h" >/dev/null 2>&1 && [ "$("$h" hook git pre-commit)" = "holdfast: commit refused" ]; then exit 1; fi`;

/** Git's pre-commit hook, in the directory git really runs hooks from. */
export const setup: AgentSetup = {
  agent,
  docs: "https://git-scm.com/docs/githooks#_pre_commit",
  detect: { commands: ["git"], folders: [], versionArgs: ["--version"] },
  scopes: ["project"],
  files,
  activation: () => ({ kind: "none", words: "" }),
  offSwitches: [],
  launch: null,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const hooks = machine.gitHooks;
  if (scope !== "project" || hooks === null) return [];
  if (hooks.insideTree) {
    const dir = editedDir(hooks.dir);
    const file = `${dir}/pre-commit`;
    return [
      {
        kind: "hint",
        file,
        message: `Git runs hooks from ${hooks.dir}, which is part of the repository, so nothing is changed there. To guard commits add this line to ${file}:\n  ${handLine}`,
      },
    ];
  }
  const file = `${hooks.dir}/pre-commit`;
  return [{ kind: "hook-script", file, chained: `${hooks.dir}/pre-commit.local`, text: script, mode: 0o755 }];
}

/**
 * husky 9 points git at `.husky/_`, which it writes anew at every install; each script there runs the one of
 * the same name in the folder above, and that is the person's. source: husky 9.1.7, index.js and h, 2026-11-30.
 */
function editedDir(dir: string): string {
  return dir.endsWith("/_") ? dir.slice(0, -2) : dir;
}
