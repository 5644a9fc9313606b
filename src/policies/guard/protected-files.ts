import type { Settings } from "../../core/settings.ts";
import { allow, type Verdict, verdict } from "../../core/verdict.ts";
import type { World } from "../../core/world.ts";
import { patchTouches } from "../../patch/apply-patch.ts";
import { diffTouches } from "../../patch/unified-diff.ts";
import { type ProtectHit, type Protector, protector } from "../../paths/protect.ts";

/**
 * Judges files that a tool call would change: one protected file refuses the whole call.
 *
 * @param tree the call takes whole directories along (delete, move).
 */
export function judgePaths(
  paths: readonly string[],
  settings: Settings,
  world: World,
  tree = false,
): Verdict {
  const guard = protector(settings.protect, world);
  const found = hits(paths.slice(0, mostPaths), tree ? guard.hitTree : guard.hit);
  return found.length === 0 && paths.length > mostPaths ? tooLarge : refusal(found);
}

/** Files of one call that are looked at; each may cost a look at the disk. */
export const mostPaths = 1000;

export const tooLargeRule = "too-large";

/** For a call that could not be checked to its end. */
export const tooLarge: Verdict = verdict({
  decision: "ask",
  reason:
    "This call is larger than Holdfast can check to its end, and what was checked is harmless. Split it into smaller calls, or let a person decide.",
  by: [tooLargeRule],
});

/** Judges a patch in Codex's format or as a unified diff. */
export function judgePatch(patch: string, settings: Settings, world: World): Verdict {
  const guard = protector(settings.protect, world);
  const touches = patchedFiles(patch);
  const found = touches
    .slice(0, mostPaths)
    .flatMap(({ path, tree }) => hits([path], tree ? guard.hitTree : guard.hit));
  return found.length === 0 && touches.length > mostPaths ? tooLarge : refusal(found);
}

/** One file that a tool call changes. `tree`: it goes away, with all that is below it. */
export interface Change {
  readonly path: string;
  readonly tree: boolean;
}

/** The files that a patch in Codex's format or a unified diff changes. */
export function patchedFiles(patch: string): Change[] {
  return [...patchTouches(patch), ...diffTouches(patch)].map(({ path, action }) => ({
    path,
    tree: action !== "write",
  }));
}

/** The refusal that the guard gives for protected files, also when a shell command touches them. */
export function refusal(found: readonly ProtectHit[]): Verdict {
  const [first, ...others] = distinct(found);
  if (first === undefined) return allow;
  const more = others.length === 0 ? "" : ` (and ${others.length} more: ${listed(others)})`;
  const link = first.real === undefined ? "" : ` (it leads to ${first.real})`;
  const reason = `${first.path}${link} is protected by the pattern "${first.pattern}"${more}. ${person}`;
  return verdict({ decision: "deny", reason, by: ["protect"] });
}

const person =
  "Only a person can allow it: by listing it under protect.except in holdfast.yaml, or by making the change themselves. Tell them what you wanted to change and why.";

const mostListed = 3;

function listed(found: readonly ProtectHit[]): string {
  const shown = found.slice(0, mostListed).map(({ path }) => path);
  return shown.join(", ") + (found.length > mostListed ? ", …" : "");
}

function hits(paths: readonly string[], hit: Protector["hit"]): ProtectHit[] {
  return paths.map((path) => hit(path)).filter((found) => found !== null);
}

function distinct(found: readonly ProtectHit[]): ProtectHit[] {
  return found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
}
