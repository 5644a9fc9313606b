import { join } from "node:path";
import type { DiffSize, GitAnswer, Staged, Tree, Unsaved } from "../core/repository.ts";
import { type Env, gitEnvironment } from "../runtime/environment.ts";
import type { Asking } from "./ask.ts";
import { diffSize } from "./diff-size.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Start } from "./made-here.ts";
import { namesOf } from "./names.ts";
import { staged } from "./staged.ts";
import { type Status, status } from "./status.ts";
import { fingerprintOfAll } from "./to-be.ts";

export interface Repository {
  tree(): Promise<GitAnswer<Tree>>;
  fingerprintOfAll(): Promise<string | null>;
  diffSize(start: Start, enough: number): Promise<GitAnswer<DiffSize>>;
  staged(): Promise<GitAnswer<Staged>>;
  /** @param tree another working tree of the repository; absolute */
  unsaved(paths: readonly string[], ignored?: boolean, tree?: string): Promise<GitAnswer<Unsaved>>;
  names(kind: "tree" | "diff", revs: readonly string[]): Promise<readonly string[] | null>;
  /** The working tree may have changed: look again at the next question. */
  forget(): void;
}

/**
 * Questions to the repository of a working tree. The status is asked once until `forget`.
 * @param why `commit` inside a commit hook, where git says by variables which index and repository it means
 * @param complain told in git's words when it does not answer
 */
export function openRepository(
  root: string,
  env: Env,
  why: "ask" | "commit",
  complain: (words: string) => void,
): Repository {
  const asking: Asking = { cwd: root, env: gitEnvironment(env, why) };
  let seen: Promise<Status | { readonly why: string }> | null = null;
  let tree: Promise<GitAnswer<Tree>> | null = null;
  const look = () => (seen ??= status(asking));
  const broken = (words: string) => {
    complain(words);
    return { kind: "broken", why: words } as const;
  };
  return {
    tree: () =>
      (tree ??= look().then(async (now) => {
        if ("why" in now) return broken(now.why);
        const clean = now.entries.length === 0;
        return { kind: "tree", fingerprint: await fingerprint(asking, now), head: now.head, clean };
      })),
    async fingerprintOfAll() {
      const now = await look();
      return "why" in now ? null : fingerprintOfAll(asking, now);
    },
    async diffSize(start, enough) {
      const now = await look();
      const size = "why" in now ? now : await diffSize(asking, now, start, enough);
      return "why" in size ? broken(size.why) : size;
    },
    async staged() {
      const found = await staged(asking);
      return "why" in found ? broken(found.why) : found;
    },
    async unsaved(paths, ignored = false, tree = root) {
      const isSeen = tree === root && paths.length === 0 && !ignored;
      const now = isSeen ? await look() : await status({ ...asking, cwd: tree }, paths, ignored);
      if ("why" in now) return broken(now.why);
      const files = now.entries.map(({ name, kind, unstaged }) => {
        const path = join(tree, name.toString("utf8"));
        const folder = path.endsWith("/");
        return { path: folder ? path.slice(0, -1) : path, kind, folder, staged: !unstaged };
      });
      return { kind: "unsaved", files };
    },
    names: (kind, revs) => namesOf(asking, kind, revs),
    forget() {
      seen = null;
      tree = null;
    },
  };
}

/** For a project that is no repository. */
export const noRepository: Repository = {
  tree: async () => ({ kind: "no-repository" }),
  fingerprintOfAll: async () => null,
  diffSize: async () => ({ kind: "no-repository" }),
  staged: async () => ({ kind: "no-repository" }),
  unsaved: async () => ({ kind: "no-repository" }),
  names: async () => null,
  forget() {},
};
