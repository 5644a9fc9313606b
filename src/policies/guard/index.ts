import { hasGaps, isCut } from "../../core/cut.ts";
import type { Event } from "../../core/event.ts";
import type { Settings } from "../../core/settings.ts";
import type { OtherTool, ShellTool, Tool } from "../../core/tool.ts";
import { allow, compose, type Verdict, verdict } from "../../core/verdict.ts";
import type { World } from "../../core/world.ts";
import { resolvePath } from "../../paths/resolve.ts";
import { judgeCommand } from "./command-line.ts";
import { isHarmless } from "./harmless.ts";
import { judgePatch, judgePaths, patchedFiles, tooLarge } from "./protected-files.ts";
import { readPaths, readsRule } from "./reads.ts";
import type { CommandJudgement } from "./risky-commands.ts";
import { judgeOwnPaths, judgeOwnTouches } from "./self.ts";

/**
 * The guard: refuses changes to protected files, by whatever tool, and asks before risky commands.
 * Speaks only before a tool runs; reading is allowed but for what `protect.reads` lists.
 */
export function guard(event: Event, settings: Settings, world: World): Verdict {
  return inspect(event, settings, world).verdict;
}

/** What the guard says, with how it came to it where the call is a command line. */
export interface Inspection {
  readonly verdict: Verdict;
  readonly commands: readonly CommandJudgement[];
}

/** The guard's verdict from the call alone: pure, nothing is looked up but where symlinks lead. */
export function inspect(event: Event, settings: Settings, world: World): Inspection {
  if (event.name !== "pre-tool") return { verdict: allow, commands: [] };
  const here = event.cwd === null ? world : { ...world, cwd: event.cwd };
  const { tool } = event;
  const commands = tool.kind === "shell" ? judgeCommands(tool, settings, here) : [];
  const judged =
    tool.kind === "shell" ? compose(commands.map((one) => one.verdict)) : judgeTool(tool, settings, here);
  const unseen = judged.decision === "allow" && isPartlyUnseen(tool);
  return { verdict: unseen ? tooLarge : judged, commands };
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
  return tool.commands
    .filter((command) => !isHarmless(command, settings, world.platform))
    .map((command) => judgeCommand(command, settings, { ...world, cwd }));
}

/** A tool nobody told us about: its name says whether the paths in its arguments are written. */
function judgeByName(tool: OtherTool, settings: Settings, world: World): Verdict {
  const verbs = verbsIn(tool.name);
  if (tool.paths.length === 0) return allow;
  if (verbs.length === 0) return judgeReads(tool.paths, settings, world);
  return judgeFiles(tool.paths, settings, world, verbs.some(takesTrees));
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

const changing =
  /^(write|overwrite|edit|create|make|mkdir|touch|delete|unlink|rm|move|mv|rename|copy|cp|append|patch|put|save|remove|replace|insert|update|modify|truncate|apply|download|extract|unzip)(?:s|files?|texts?|contents?|dir|directory|folders?|documents?|notes?|blocks?|lines?|range)?$/;

/** The changing verbs among the words of a tool's name, without the name of its MCP server. */
function verbsIn(name: string): string[] {
  const own = name.slice(name.lastIndexOf("__") + 1);
  const words = own
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.flatMap((word) => changing.exec(word)?.[1] ?? []);
}

function takesTrees(verb: string): boolean {
  return /^(?:delete|unlink|rm|move|mv|rename|remove|extract|unzip)$/.test(verb);
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
