import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Dict, dict, firstText, list, text } from "../../core/read.ts";
import { run } from "../process.ts";

/** What the hooks of one event said, strongest first: deny, then ask, then nothing. */
export interface HookAnswer {
  readonly decision: "deny" | "ask" | "block" | "none";
  readonly reason: string;
}

/** Where a stand-in agent runs. */
export interface Surroundings {
  readonly cwd: string;
  /** Folder the agent takes for the project: the nearest one upwards with a `.git`. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs the command hooks that the settings files name for an event, the way Claude Code does: JSON on
 * stdin, through a shell, exit 0 with JSON or exit 2 with words on stderr; anything else lets the call
 * through (protocol of 2.1.332, ran, 2026-11-30).
 */
export async function runHooks(
  event: string,
  tool: string | null,
  payload: Dict,
  where: Surroundings,
): Promise<HookAnswer> {
  const answers: HookAnswer[] = [];
  for (const command of new Set(commandsFor(event, tool, where))) {
    const ran = await run(["/bin/sh", "-c", command], {
      cwd: where.cwd,
      env: { ...where.env, CLAUDE_PROJECT_DIR: where.root, CLAUDECODE: "1" },
      timeoutMs: 60_000,
      input: JSON.stringify({ hook_event_name: event, cwd: where.cwd, ...payload }),
    });
    answers.push(readAnswer(ran.exitCode, ran.stdout, ran.stderr));
  }
  const order = ["deny", "block", "ask"] as const;
  for (const decision of order) {
    const found = answers.find((answer) => answer.decision === decision);
    if (found) return found;
  }
  return { decision: "none", reason: "" };
}

/** The nearest folder upwards that holds a `.git`, else the folder itself. */
export function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return cwd;
  }
}

function commandsFor(event: string, tool: string | null, { root, env }: Surroundings): string[] {
  const files = [
    join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? "/", ".claude"), "settings.json"),
    join(root, ".claude", "settings.json"),
    join(root, ".claude", "settings.local.json"),
  ];
  return files
    .flatMap((file) => list(dict(settingsIn(file).hooks)[event]))
    .map(dict)
    .filter((group) => tool === null || matches(text(group.matcher), tool))
    .flatMap((group) => list(group.hooks))
    .flatMap((hook) => text(dict(hook).command) ?? []);
}

function settingsIn(file: string): Dict {
  return existsSync(file) ? dict(JSON.parse(readFileSync(file, "utf8"))) : {};
}

/** Plain names are a list; anything else is an unanchored regular expression. */
function matches(matcher: string | null, tool: string): boolean {
  if (matcher === null || matcher === "" || matcher === "*") return true;
  if (/^[A-Za-z0-9_|, -]+$/.test(matcher)) return matcher.split(/[|,]/).some((name) => name.trim() === tool);
  return new RegExp(matcher).test(tool);
}

function readAnswer(exitCode: number | null, stdout: string, stderr: string): HookAnswer {
  if (exitCode === 2) return { decision: "deny", reason: stderr.trim() };
  const answer = parsed(stdout);
  const specific = dict(answer.hookSpecificOutput);
  const decision = specific.permissionDecision;
  if (decision === "deny" || decision === "ask") {
    return { decision, reason: firstText(specific, ["permissionDecisionReason"]) ?? "" };
  }
  if (answer.decision === "block") return { decision: "block", reason: text(answer.reason) ?? "" };
  return { decision: "none", reason: "" };
}

/** What is not JSON decides nothing. */
function parsed(stdout: string): Dict {
  try {
    return dict(JSON.parse(stdout));
  } catch {
    return {};
  }
}
