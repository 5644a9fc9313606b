import type { Settings } from "../../core/settings.ts";
import { allow, compose, type Verdict, verdict } from "../../core/verdict.ts";
import type { World } from "../../core/world.ts";
import { type ProtectHit, type Protector, protector } from "../../paths/protect.ts";
import { type Change, mostPaths } from "./protected-files.ts";

/** The rule by which Holdfast protects itself. */
export const selfRule = "self";

/** One of Holdfast's own things that a call would change. */
export interface SelfHit {
  readonly verdict: "ask" | "deny";
  readonly path: string;
  /** The pattern of `Own` that it fits. */
  readonly pattern: string;
  readonly words: string;
}

/** Looks a path up among Holdfast's own things; `find` asks the protector in the way the caller needs. */
export type SelfLookup = (find: (own: Protector) => ProtectHit | null) => SelfHit | null;

/** Null when Holdfast does not protect itself here. Compiled when the first path is asked about. */
export function selfLookup(settings: Settings, world: World): SelfLookup | null {
  const own = settings.protect.holdfast ? world.own : undefined;
  if (own === undefined) return null;
  let compiled: { readonly ours: Protector; readonly shared: Protector } | null = null;
  return (find) => {
    compiled ??= compile(own(), world);
    const mine = find(compiled.ours);
    if (mine !== null) return { verdict: "deny", ...mine, words: oursWords };
    const shared = find(compiled.shared);
    return shared === null ? null : { verdict: "ask", ...shared, words: sharedWords };
  };
}

/** Judges files that a tool call would change. @param tree whole directories go along (delete, move) */
export function judgeOwnPaths(
  paths: readonly string[],
  settings: Settings,
  world: World,
  tree: boolean,
): Verdict {
  return judgeOwnTouches(
    paths.map((path) => ({ path, tree })),
    settings,
    world,
  );
}

/** The same for files that each go their own way. */
export function judgeOwnTouches(changes: readonly Change[], settings: Settings, world: World): Verdict {
  const lookup = selfLookup(settings, world);
  if (lookup === null || changes.length === 0) return allow;
  return compose(
    changes.slice(0, mostPaths).map(({ path, tree }) => {
      const hit = lookup((own) => (tree ? own.hitTree(path) : own.hit(path)));
      if (hit === null) return allow;
      return verdict({ decision: hit.verdict, reason: `${hit.path} ${hit.words}`, by: [selfRule] });
    }),
  );
}

const oursWords =
  "is Holdfast's own, and no agent may change it. Tell the person what you wanted to change and why; they can change it themselves, or switch this off with protect.holdfast: false in holdfast.yaml.";
const sharedWords =
  "also holds the hooks that Holdfast put there, so a person decides about each change to it. Say what the change is for.";

function compile(own: ReturnType<NonNullable<World["own"]>>, world: World) {
  const of = (paths: readonly string[]) => protector({ paths, except: [] }, world);
  return { ours: of(own.ours), shared: of(own.shared) };
}
