/** `no-repository`: there is none here. `broken`: there is one, but git did not answer; already reported. */
export type GitAnswer<T> =
  | T
  | { readonly kind: "no-repository" }
  | { readonly kind: "broken"; readonly why: string };

export interface Tree {
  readonly kind: "tree";
  /** Stands for the contents of every tracked and untracked file that is not ignored. */
  readonly fingerprint: string;
  /** Commit id; null before the first commit. */
  readonly head: string | null;
  readonly clean: boolean;
}

export interface DiffSize {
  readonly kind: "diff";
  /** Added plus removed lines, new text files included. */
  readonly lines: number;
  /** Lines of generated files, which are not among `lines`. */
  readonly generated: number;
  /** Commits are counted, too. */
  readonly committed: boolean;
  /** True when counting stopped early, so that `lines` is a lower bound. */
  readonly atLeast: boolean;
}

export interface Staged {
  readonly kind: "staged";
  /** Absolute paths whose staged content (or absence) is news to this commit. */
  readonly files: readonly StagedFile[];
  /** True when the working tree holds changes or new files that this commit does not take. */
  readonly otherChanges: boolean;
  /** Fingerprint the tree will have once the commit is made; null when `otherChanges`. */
  readonly fingerprint: string | null;
}

export interface StagedFile {
  readonly path: string;
  /** Relative to the repository root, as git names it. */
  readonly name: string;
  readonly change: "added" | "modified" | "deleted";
}

/** Files whose content no commit holds. Ignored ones are looked at only when they are asked for. */
export interface Unsaved {
  readonly kind: "unsaved";
  readonly files: readonly UnsavedFile[];
}

export interface UnsavedFile {
  /** Absolute. A folder that is ignored as a whole is named in place of its files. */
  readonly path: string;
  readonly kind: "tracked" | "untracked" | "ignored";
  readonly folder: boolean;
  /** The index holds what is on the disk. */
  readonly staged: boolean;
}
