import type { Settings } from "../../core/settings.ts";
import { unlinked, type World } from "../../core/world.ts";
import { type ProtectHit, protector } from "../../paths/protect.ts";
import { selfLookup, selfRule } from "./self.ts";

/** A file that should stay as it is. */
export interface Kept {
  readonly rule: string;
  readonly verdict: "ask" | "deny";
  readonly path: string;
  /** Goes on a sentence that begins with the path. */
  readonly why: string;
}

/** Finds what is protected, or Holdfast's own, among paths that are real ones already. */
export function keeper(settings: Settings, world: World): (path: string) => Kept | null {
  const here = unlinked(world);
  const guard = protector(settings.protect, here);
  const lookup = selfLookup(settings, here);
  return (path) => {
    const hit = guard.hit(path);
    if (hit !== null) return protectedFile(hit);
    const own = lookup?.(path, false, (mine) => mine.hit(path)) ?? null;
    return own === null ? null : { rule: selfRule, verdict: own.verdict, path: own.path, why: own.words };
  };
}

/** What a protector has found. */
export function protectedFile({ path, pattern }: ProtectHit): Kept {
  return { rule: "protect", verdict: "deny", path, why: `is protected by the pattern "${pattern}"` };
}
