/**
 * Holdfast's own things on one machine, as patterns in the syntax of `protect.paths`.
 * - `ours`: files that are wholly Holdfast's, its manifests included. No agent changes them.
 * - `shared`: settings files of agents in which Holdfast has entries. People do let agents edit these.
 */
export interface Own {
  readonly ours: readonly string[];
  readonly shared: readonly string[];
  /** Absolute folders in which agents keep what is theirs: plans, memories, lists of things to do. */
  readonly homes: readonly string[];
  /** Is something of Holdfast's at this absolute path: a folder of its own, or a file that names it? */
  readonly isThere: (path: string) => boolean;
}

/**
 * Where agents keep what Holdfast writes, for every scope. `~/…` is below the home folder, `<root>/…` below the
 * project, `$NAME/…` below the folder that a variable of the agent names.
 */
export interface NativeFiles {
  readonly ours: readonly string[];
  readonly shared: readonly string[];
  readonly homes: readonly string[];
}
