import { listsNames } from "./listing.ts";
import { DEEP, FEW, globbed, STAR } from "./marks.ts";
import { type Call, type Stream, textStream, unknownText } from "./model.ts";
import { asList } from "./name-list.ts";
import { has, optionValue, readOptions } from "./options.ts";
import { unseen } from "./record.ts";
import { leavesOut } from "./tools/git.ts";

/** What git prints, where rules need to know it. */
export function gitOutput(call: Call): Stream {
  const [verb = "", ...rest] = call.argv.slice(1);
  switch (verb) {
    case "rev-parse":
      return place(call, rest);
    case "ls-files":
      return asList(call, listed(rest));
    case "ls-tree":
      return asList(call, inTree(rest));
    case "grep":
      return listsNames(rest) || rest.includes("--name-only") ? asList(call, found(rest)) : unknownText;
    case "status":
      return /^(?:-\w*s|--short|--porcelain)/m.test(rest.join("\n"))
        ? asList(call, textStream(`?? ./${DEEP}/${FEW}\n`, "program"))
        : unknownText;
    case "diff":
    case "stash":
      return asList(call, { ...difference(rest), ...differing(call, verb, rest) });
    case "format-patch":
    case "diff-index":
    case "diff-files":
    case "diff-tree":
      return difference(rest);
    case "log":
    case "for-each-ref":
    case "branch":
      return formatted(rest);
    case "archive":
      return archive(call, rest);
    case "show":
    case "cat-file":
      unseen(call, "the content that git shows");
      return verb === "show" && !rest.some((word) => word.includes(":"))
        ? asList(call, { ...difference(rest), ...differing(call, verb, rest) })
        : unknownText;
    default:
      return unknownText;
  }
}

/** A format without a placeholder is printed as it is. */
function formatted(rest: readonly string[]): Stream {
  const format = rest
    .map((word) => /^--(?:format|pretty)=(?:format:|tformat:)?(.*)$/s.exec(word)?.[1])
    .find((text) => text !== undefined);
  return format === undefined || /%|^\w+$/.test(format) ? unknownText : textStream(`${format}\n`, "program");
}

/** `git archive tree paths`: the paths are its members. */
function archive({ scope }: Call, rest: readonly string[]): Stream {
  const parsed = readOptions(rest, "o output format prefix remote exec");
  const prefix = optionValue(parsed, "--prefix") ?? "";
  const members = parsed.operands.slice(1).map((path) => `${prefix}${path}`);
  if (has(parsed, "--remote")) return { ...unknownText, from: "network", members };
  const [rev] = parsed.operands;
  const whole = rev !== undefined && members.length === 0 && prefix === "";
  return {
    ...unknownText,
    members,
    ...(whole ? { git: { kind: "tree", revs: [rev], at: scope.cwd } as const } : {}),
  };
}

/** The commits between which git shows what differs, where no files are named. */
function differing({ scope }: Call, verb: string, rest: readonly string[]): Pick<Stream, "git"> {
  const parsed = readOptions(rest, "OGSUlnM?C? output inter-hunk-context diff-filter format");
  const words = verb === "stash" ? parsed.operands.slice(1) : parsed.operands;
  if (parsed.beforeDashes < parsed.operands.length || has(parsed, "--name-only", "--no-index")) return {};
  if (verb === "stash" && parsed.operands[0] !== "show") return {};
  const cached = has(parsed, "--cached", "--staged") ? ["--cached"] : [];
  const last = words[0] ?? (verb === "stash" ? "stash@{0}" : "HEAD");
  const revs = verb === "diff" ? [...cached, ...words] : [`${last}^`, last];
  return { git: { kind: "diff", revs, at: scope.cwd } };
}

/** `git rev-parse` where it is asked for a folder. */
function place(call: Call, rest: readonly string[]): Stream {
  const root = call.run.world.root ?? call.scope.cwd;
  if (rest.includes("--show-toplevel")) return textStream(`${root}\n`);
  const at = rest.indexOf("--git-path");
  if (at >= 0) return textStream(`${root}/.git/${rest[at + 1] ?? ""}\n`);
  const folder = rest.some((word) => /^--(?:absolute-)?git-(?:common-)?dir$/.test(word));
  return folder ? textStream(`${root}/.git\n`) : unknownText;
}

function listed(rest: readonly string[]): Stream {
  const { operands, options } = readOptions(rest, "xX exclude exclude-from");
  const narrowed = options.some(([name]) => /^-[domu]$|^--(?:deleted|others|modified|unmerged)$/.test(name));
  const named = operands.filter((word) => !leavesOut.test(word));
  const lines = named.length === 0 ? [`./${DEEP}/${narrowed ? FEW : STAR}`] : named.flatMap(listedBy);
  return textStream(`${lines.join("\n")}\n`, "program");
}

/** `git ls-tree -r --name-only HEAD src`; without `-r` the names of one folder. */
function inTree(rest: readonly string[]): Stream {
  const parsed = readOptions(rest, "- format abbrev");
  if (!has(parsed, "--name-only", "--name-status")) return unknownText;
  const paths = parsed.operands.slice(1).map((path) => path.replace(/\/$/, ""));
  const below = has(parsed, "-r") ? `/${DEEP}/${STAR}` : `/${STAR}`;
  const lines = paths.length === 0 ? [`.${below}`] : paths.flatMap((path) => [path, `${path}${below}`]);
  return textStream(`${lines.join("\n")}\n`, "program");
}

/** `git grep -l word -- src`. */
function found(rest: readonly string[]): Stream {
  const { operands, beforeDashes } = readOptions(rest, "efABCmO? max-depth threads");
  const named = operands.slice(beforeDashes).filter((word) => !leavesOut.test(word));
  const lines = named.length === 0 ? [`./${DEEP}/${FEW}`] : named.flatMap(listedBy);
  return textStream(`${lines.join("\n")}\n`, "program");
}

/** `git ls-files '*.yml'` lists them in every folder; `.github` may be a folder as well as a file. */
function listedBy(pathspec: string): string[] {
  if (pathspec.startsWith("*.")) return [`./${DEEP}/${globbed(pathspec)}`];
  const below = `${pathspec}/${DEEP}/${STAR}`;
  if (/^\.\w+$/.test(pathspec)) return [pathspec, below];
  return [/[*.]\w+$/.test(pathspec) ? globbed(pathspec) : below];
}

/** A diff names the files that it was asked about, or some of the project's; so does a list of their names. */
function difference(rest: readonly string[]): Stream {
  const parsed = readOptions(rest, "OGSUlnM?C? output inter-hunk-context diff-filter");
  const named = parsed.operands.slice(parsed.beforeDashes).filter((word) => !leavesOut.test(word));
  const paths = named.length === 0 ? [`./${DEEP}/${FEW}`] : named.flatMap(listedBy);
  const names = has(parsed, "--name-only");
  const lines = names ? paths : paths.map((path) => `--- a/${path}\n+++ b/${path}`);
  return textStream(`${lines.join("\n")}\n`, "program");
}
