import type { World } from "../../../core/world.ts";
import { globMatcher } from "../../../paths/glob.ts";
import type { ProtectHit, Protector } from "../../../paths/protect.ts";
import { DEEP, FEW, hasUnknown } from "../../../shell/marks.ts";
import type { Touch } from "../../../shell/model.ts";

/** Files as they lie in most projects, for patterns that name folders but not what is in them. */
const typical = [".env", ".github/workflows/ci.yml", ".github/workflows/ci.yaml", "migrations/0001.sql"];

/**
 * A write to everything of a kind below a folder (`find . -name '*.yml' -exec sed -i …`) reaches a protected
 * file that the pattern does not spell out. Picked files (by size, by name with exclusions) do not count, nor
 * do formatters, which are given folders and choose for themselves.
 */
export function sweepHit(touch: Touch, guard: Protector, world: World): ProtectHit | null {
  const { marked } = touch;
  const open = touch.action === "write" && !touch.tree && !touch.keeps && touch.place === "host";
  if (!open || !marked.includes(`/${DEEP}/`) || marked.includes(FEW) || hasUnknown(marked)) return null;
  const matches = globMatcher(touch.path);
  const root = world.root ?? world.cwd;
  // A shell's own `**` passes over names that begin with a dot.
  const hidden = !touch.written.startsWith("**");
  for (const name of typical) {
    const path = `${root}/${name}`;
    if ((hidden || !name.startsWith(".")) && matches(path.slice(1))) {
      const hit = guard.hit(path);
      if (hit !== null) return hit;
    }
  }
  return null;
}
