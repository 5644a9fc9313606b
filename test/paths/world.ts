import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { defaultSettings } from "../../src/core/settings.ts";
import type { World } from "../../src/core/world.ts";
import { type ProtectHit, type Protector, protector } from "../../src/paths/protect.ts";

/** An imagined machine: nothing is looked up on disk. */
export const imagined: World = {
  root: "/home/dev/app",
  cwd: "/home/dev/app",
  home: "/home/dev",
  tmp: ["/tmp"],
  platform: "linux",
  realpath: (path) => path,
};

/** The imagined machine, protected by the default patterns or by others. */
export function guarding(
  paths: readonly string[] = defaultSettings.protect.paths,
  more: Partial<World> & { except?: readonly string[] } = {},
): Protector {
  const { except = [], ...world } = more;
  return protector({ paths, except }, { ...imagined, ...world });
}

export function hit(pattern: string, path: string): ProtectHit {
  return { pattern, path };
}

/** The real path of the part that exists, plus the rest. */
export function realpathOfExisting(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realpathOfExisting(dirname(path)), basename(path));
  }
}
