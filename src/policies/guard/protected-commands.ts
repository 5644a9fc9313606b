import type { World } from "../../core/world.ts";
import type { ProtectHit, Protector } from "../../paths/protect.ts";
import type { Analysis, Touch } from "../../shell/analyse.ts";
import { hasUnknown, isBroad } from "../../shell/marks.ts";
import { unpackedInto } from "../../shell/tools/archive.ts";
import { copiedInto } from "../../shell/tools/copy.ts";
import { writesRemote } from "../../shell/tools/project.ts";
import { sweepHit } from "./commands/sweep.ts";
import { zoneOf } from "./commands/zones.ts";
import { leavingOut } from "./listers.ts";
import type { CommandHit, Where } from "./risky-commands.ts";

/** The protected files that a command changes, each once. */
export function protectHits(analysis: Analysis, guard: Protector, world: World): CommandHit[] {
  const hits = new Map<string, Protected>();
  const answers = new Map<string, Found | null>();
  for (const touch of analysis.touches) {
    if (touch.action === "read" || isSpareCopy(touch, world)) continue;
    const key = `${touch.action}${touch.tree}${touch.keeps}${touch.place}${touch.marked}`;
    const before = answers.get(key);
    const found = before === undefined ? protectHit(touch, guard, world) : before;
    answers.set(key, found);
    if (found !== null && makesFolderItself(touch, found)) continue;
    if (found === null) continue;
    const known = hits.get(found.path);
    // What is named outright decides over what a sweep may come to.
    if (known !== undefined && !(known.swept === true && found.swept !== true)) {
      if (known.swept === true) known.where.push({ step: touch.step, touch });
    } else hits.set(found.path, protectedHit(found, touch, analysis));
  }
  return [...hits.values()];
}

type Protected = CommandHit & { readonly where: Where[] };

/** The refusal for one protected file. */
export function protectedHit(found: Found, touch: Touch, analysis: Analysis): Protected {
  // What a pattern comes to, nobody named: the way on is mostly to name less.
  const out = touch.glob ? leavingOut(found, touch) : "";
  return {
    rule: "protect",
    words: `${found.path} is protected by the pattern "${found.pattern}": ${touch.via}.`,
    loss: "The content of a file the person wants to keep as it is.",
    safer:
      `${out} A person can allow it with protect.except in holdfast.yaml, or make the change without the agent.`.trimStart(),
    verdict: touch.via === writesRemote ? "ask" : "deny",
    at: analysis.steps[touch.step]?.text ?? touch.written,
    where: [{ step: touch.step, touch }],
    ...(found.swept === true ? { swept: true } : {}),
  };
}

/** A protected path; `swept`: not named, but among all that is written. */
interface Found extends ProtectHit {
  readonly swept?: true;
}

/** Does what a command does to a path change something that is protected? */
export function protectHit(touch: Touch, guard: Protector, world: World): Found | null {
  const path = openEnded(touch) ? `${placed(touch, world).replace(/[^/]*$/, "")}*` : placed(touch, world);
  const found = touch.glob ? guard.hitGlob(path, touch.marked.includes("\uE005")) : guard.hit(path);
  if (found !== null) return found;
  const swept = touch.glob ? sweepHit(touch, guard, world) : null;
  if (swept !== null) return { ...swept, swept: true };
  const gone = touch.action === "delete" || touch.action === "move" || !touch.keeps;
  if (touch.tree && gone && touch.marked !== world.root) return guard.hitTree(path);
  if (touch.tree && !touch.glob) return guard.hit(`${path}/x`);
  return null;
}

/** `mkdir -p .github/workflows`: `…/**` speaks of what is in the folder, and an empty one has nothing. */
function makesFolderItself({ via }: Touch, { pattern, path }: ProtectHit): boolean {
  if (!/^(?:mkdir|install makes)/.test(via) || !pattern.endsWith("/**")) return false;
  return path.replace(/^\.\//, "").toLowerCase() === pattern.slice(0, -3).toLowerCase();
}

/** A copy of a file under its own name in a temp folder leaves what is protected as it is. */
export function isSpareCopy(touch: Touch, world: World): boolean {
  return (touch.via === copiedInto || touch.via === unpackedInto) && zoneOf(touch.marked, world) === "temp";
}

/** `.*` names everything in its folder, not a file that begins with a dot. */
function openEnded(touch: Touch): boolean {
  return touch.glob && isBroad(touch.marked.slice(touch.marked.lastIndexOf("/") + 1));
}

/** A path that starts with unknown text lies nowhere in particular: only names count. */
function placed(touch: Touch, world: World): string {
  const elsewhere =
    hasUnknown(touch.marked[0] ?? "") || touch.place === "remote" || touch.place === "container";
  if (!elsewhere) return touch.path;
  const named = touch.path.replace(/^[…*]+(?=\/)/, "");
  return named.startsWith("/") &&
    touch.place !== "host" &&
    world.root !== null &&
    named.startsWith(world.root)
    ? `/elsewhere${named}`
    : named;
}
