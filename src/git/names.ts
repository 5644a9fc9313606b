import { type Asking, ask, fields } from "./ask.ts";

/**
 * The files of a commit (`tree`), or those that differ between two commits, or a commit and what is here (`diff`);
 * relative to the root. Null where git does not answer, or a revision looks like anything else.
 */
export async function namesOf(
  asking: Asking,
  kind: "tree" | "diff",
  revs: readonly string[],
): Promise<readonly string[] | null> {
  if (!revs.every((rev) => revision.test(rev))) return null;
  const question =
    kind === "tree"
      ? ["ls-tree", "-r", "-z", "--name-only", "--full-tree", ...revs]
      : ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", ...revs, "--"];
  const answer = await ask(asking, ["--no-optional-locks", ...question]);
  return answer.ok
    ? fields(answer.out)
        .map((name) => name.toString("utf8"))
        .filter((name) => name !== "")
    : null;
}

const revision = /^(?:--cached|@\{-\d\}|[\w][\w./@^~{}-]*)$/;
