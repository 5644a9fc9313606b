import type { ProtectHit } from "../../paths/protect.ts";
import type { Touch } from "../../shell/analyse.ts";
import type { NameList } from "../../shell/model.ts";
import { listerOf } from "../../shell/name-list.ts";
import { baseOf } from "../../shell/place.ts";
import type { Context } from "../context.ts";
import { isFolder } from "./entry-kind.ts";
import type { Facts } from "./in-list.ts";
import { isIn, revsOf } from "./lists.ts";
import type { CommandHit } from "./risky-commands.ts";
import { selfRule } from "./self.ts";

/** How the same command leaves out a file that it comes to without naming it; empty where there is no short way. */
export function leavingOut({ path }: ProtectHit, { list }: Touch): string {
  if (list === undefined) return "";
  const { argv } = listerOf(list);
  const [program = "", verb = ""] = argv;
  const name = baseOf(path).replace(/[*?[\\]/g, "\\$&");
  switch (program) {
    case "find": {
      const action = argv.find((word) => /^-(?:exec|execdir|ok|okdir|delete)$/.test(word));
      const where = action === undefined ? "to find" : `to find, in front of \`${action}\``;
      return `To leave it out, add \`-not -name '${name}'\` ${where}, or name the kind of files that are meant: \`-name '*.ts'\`.`;
    }
    case "grep":
      return `To leave it out, add \`--exclude='${name}'\` to the grep that lists the files, or name the kind of files that are meant: \`--include='*.ts'\`.`;
    case "fd":
    case "fdfind":
      return `To leave it out, add \`-E '${name}'\` right behind \`${program}\`, or name the kind of files that are meant: \`-e ts\`.`;
    case "git":
      if (verb === "ls-files")
        return "To leave it out, list the kind of files that are meant: `git ls-files '*.ts'`.";
  }
  const nul = argv.some((word) => /^-(?:\w*[z0]|-null|-print0)$/.test(word)) ? "z" : "";
  return `To leave it out, put \`| grep -v${nul}F '${path}'\` behind the ${program} that lists the files.`;
}

/** Is a path among the files that were listed for the command? */
export type Listed = (touch: Touch, path: string) => boolean;

/** @param facts what git knows; null where nobody asked it */
export function listedBy({ files, world, now }: Context, facts: Facts | null): Listed {
  const looks = { files, root: world.root ?? world.cwd, now: now(), facts };
  return ({ tree, list }, path) => {
    // A folder is neither written nor in a list of files; it goes only as a whole.
    if (!tree && isFolder(path, files)) return false;
    return list === undefined || isIn(list, path, looks);
  };
}

/** What git knows about the lists that the hits hang on; null where it need not be asked, or does not answer. */
export async function factsFor(hits: readonly CommandHit[], { git }: Context): Promise<Facts | null> {
  const touches = hits.flatMap(({ rule, where }) => (rule === "protect" || rule === selfRule ? where : []));
  const lists = new Set(
    touches.flatMap(({ touch }) => (touch?.list === undefined ? [] : chainOf(touch.list))),
  );
  const asked = [...lists].filter(({ argv }) => /^(?:git|fd|fdfind|rg|ag)$/.test(baseOf(argv[0] ?? "")));
  if (asked.length === 0) return null;
  const answer = await git.unsaved([], true);
  if (answer.kind !== "unsaved") return null;
  const names = new Map<NameList, ReadonlySet<string> | null>();
  for (const list of asked) {
    const revs = revsOf(list);
    const found = revs === null ? null : await git.names("diff", revs);
    names.set(list, found === null ? null : new Set(found));
  }
  return { unsaved: answer.files, names };
}

function chainOf(list: NameList): NameList[] {
  return list.among === null ? [list] : [list, ...chainOf(list.among)];
}
