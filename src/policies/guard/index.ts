import { hasGaps, isCut } from "../../core/cut.ts";
import type { Event } from "../../core/event.ts";
import type { Settings } from "../../core/settings.ts";
import type { OtherTool, ShellTool, Tool } from "../../core/tool.ts";
import { allow, compose, type Verdict, verdict } from "../../core/verdict.ts";
import type { World } from "../../core/world.ts";
import { resolvePath, slashedWorld } from "../../paths/resolve.ts";
import { changedPaths, changesOf, isRemarkable } from "./changes.ts";
import { judgeChanges, judgeCommand } from "./command-line.ts";
import { isHarmless } from "./harmless.ts";
import { judgePatch, judgePaths, mostPaths, patchedFiles, tooLarge } from "./protected-files.ts";
import { readPaths, readsRule } from "./reads.ts";
import type { CommandJudgement } from "./risky-commands.ts";
import { judgeOwnPaths, judgeOwnTouches } from "./self.ts";
import { changingVerbs, takesTrees } from "./tool-verbs.ts";

/**
 * The guard: refuses changes to protected files, by whatever tool, and asks before risky commands.
 * Speaks only before a tool runs; reading is allowed but for what `protect.reads` lists.
 */
export function guard(event: Event, settings: Settings, world: World): Verdict {
  return inspect(event, settings, world).verdict;
}

/** What the guard says, with how it came to it where rules about commands count. */
export interface Inspection {
  readonly verdict: Verdict;
  /** What stands whatever is on the disk. */
  readonly sure: Verdict;
  /** What is weighed by what is there. */
  readonly commands: readonly CommandJudgement[];
}

/**
 * The guard's verdict from the call alone: pure, nothing is looked up but where symlinks lead.
 * @param isFolder whether a path is a folder; where it is not asked, a delete is about a file unless the call says more
 */
export function inspect(event: Event, settings: Settings, world: World, isFolder = nowhere): Inspection {
  if (event.name !== "pre-tool") return { verdict: allow, sure: allow, commands: [] };
  const here = event.cwd === null ? world : { ...world, cwd: event.cwd };
  const { tool } = event;
  const sure = tool.kind === "shell" ? allow : judgeTool(tool, settings, here);
  const commands =
    tool.kind === "shell"
      ? judgeCommands(tool, settings, here)
      : judgeOtherwise(tool, settings, slashedWorld(here), isFolder);
  const judged = compose([sure, ...commands.map((one) => one.verdict)]);
  const unseen = judged.decision === "allow" && isPartlyUnseen(tool);
  return { verdict: unseen ? tooLarge : judged, sure: unseen ? tooLarge : sure, commands };
}

const nowhere = (_path: string) => false;

/** What a command would be asked about when it changed the same files. */
function judgeOtherwise(
  tool: Exclude<Tool, ShellTool>,
  settings: Settings,
  world: World,
  isFolder: (path: string) => boolean,
): CommandJudgement[] {
  const changes = changesOf(tool, world)
    .slice(0, mostPaths)
    .filter((change) => isRemarkable(change, world))
    .map((change) =>
      change.action === "delete" && isFolder(change.path) ? { ...change, tree: true } : change,
    );
  return changes.length === 0 ? [] : [judgeChanges(changes, tool.name, settings, world)];
}

function judgeTool(tool: Exclude<Tool, ShellTool>, settings: Settings, world: World): Verdict {
  switch (tool.kind) {
    case "write":
    case "edit":
      return judgeFiles(tool.paths, settings, world, false);
    case "delete":
      return judgeFiles(tool.paths, settings, world, true);
    case "patch":
      return compose([
        judgePatch(tool.patch, settings, world),
        judgeOwnTouches(patchedFiles(tool.patch), settings, world),
      ]);
    case "mcp":
    case "other":
      return judgeByName(tool, settings, world);
    case "read":
      return judgeReads(tool.paths, settings, world);
    case "web":
    case "agent":
      return allow;
  }
}

function judgeCommands(tool: ShellTool, settings: Settings, world: World): CommandJudgement[] {
  const cwd = tool.workdir === null ? world.cwd : resolvePath(tool.workdir, world);
  const there = { ...world, cwd, powershell: /powershell|pwsh/i.test(tool.name) };
  return tool.commands
    .filter((command) => !isHarmless(command, settings, world.platform))
    .map((command) => judgeCommand(command, settings, there));
}

/** A tool nobody told us about: its name says whether the paths in its arguments are written. */
function judgeByName(tool: OtherTool, settings: Settings, world: World): Verdict {
  const verbs = changingVerbs(tool.name);
  if (tool.paths.length === 0) return allow;
  if (verbs.length === 0) return judgeReads(tool.paths, settings, world);
  return judgeFiles(changedPaths(tool), settings, world, verbs.some(takesTrees));
}

function judgeReads(paths: readonly string[], settings: Settings, world: World): Verdict {
  const [first] = settings.protect.reads.length === 0 ? [] : readPaths(paths, settings, world);
  if (first === undefined) return allow;
  const reason = `${first.path} may not be read: protect.reads lists "${first.pattern}". Ask the person for what you need from it.`;
  return verdict({ decision: "deny", reason, by: [readsRule] });
}

/** @param tree whole directories go along */
function judgeFiles(paths: readonly string[], settings: Settings, world: World, tree: boolean): Verdict {
  return compose([judgePaths(paths, settings, world, tree), judgeOwnPaths(paths, settings, world, tree)]);
}

/** Was the part that decides cut off an oversized payload? The content of a file decides nothing. */
function isPartlyUnseen(tool: Tool): boolean {
  if (tool.kind === "read" || tool.kind === "web" || tool.kind === "agent") return false;
  return decidingTexts(tool).some(isCut) || hasGaps(tool.input);
}

function decidingTexts(tool: Tool): readonly string[] {
  if (tool.kind === "shell") return tool.commands;
  return tool.kind === "patch" ? [tool.patch] : tool.paths;
}
