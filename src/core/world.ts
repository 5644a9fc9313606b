import type { Own } from "./own.ts";

/** The surroundings in which paths and commands mean something. Everything is absolute. */
export interface World {
  /** Project root; null when the agent runs outside any project. */
  readonly root: string | null;
  readonly cwd: string;
  readonly home: string;
  /** Temp folders whose contents are nobody's treasure, e.g. `/tmp` and TMPDIR. */
  readonly tmp: readonly string[];
  /** `process.platform` of the machine. */
  readonly platform: string;
  /** The commands are PowerShell's, whatever they look like. */
  readonly powershell?: boolean;
  /**
   * The real path with every symlink resolved, of the longest part that exists, plus the rest as
   * written. `explain --batch` passes the identity so that nothing is looked up on disk.
   */
  realpath(path: string): string;
  /** Other working trees of the same repository, for what is anchored to a root; absent where nothing is looked up. */
  readonly worktrees?: () => readonly string[];
  /** Holdfast's own things here; absent where nothing is to be looked up. Asked only when something is changed. */
  readonly own?: () => Own;
}

/** The world for paths that are real ones already, or stand for themselves: no link is followed. */
export function unlinked(world: World): World {
  return { ...world, realpath: (path) => path };
}
