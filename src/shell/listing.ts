import { grepOptions } from "./grep.ts";
import { DEEP, FEW, globbed, hasGlob, isKnown, SOME, STAR } from "./marks.ts";
import { type Call, type Stream, textStream, unknownText } from "./model.ts";
import { asList, someOf } from "./name-list.ts";
import { has, optionValues, readOptions } from "./options.ts";

/** What `grep` prints: names of files, or some of what it reads. */
export function grepped(call: Call): Stream {
  const names = listedFiles(call);
  return names === null ? (chosenNames(call) ?? someOf(call)) : asList(call, names);
}

/** The same for `rg`, which looks into the working folder where nothing is piped to it. */
export function searched(call: Call): Stream {
  const names = listedFiles(call);
  if (names !== null) return asList(call, names);
  return call.stdin.text === "" ? unknownText : someOf(call);
}

/** `grep -l` and `rg -l` list files; `grep -r` those below folders. What `rg` leaves out is hidden. */
function listedFiles(call: Call): Stream | null {
  if (!listsNames(call.argv)) return null;
  const parsed = readOptions(call.argv.slice(1), grepOptions);
  const deep = has(parsed, "-r", "-R", "--recursive", "--dereference-recursive");
  const [, ...folders] =
    has(parsed, "-e", "--regexp", "-f", "--file") || call.argv.includes("--files")
      ? ["", ...parsed.operands]
      : parsed.operands;
  if (!deep || !/grep$/.test(call.argv[0] ?? "")) {
    // `grep` looks into folders only when it is told to.
    const named = deep || /grep$/.test(call.argv[0] ?? "");
    const lines = folders.map((file) =>
      named || hasGlob(file) || /\.\w+$/.test(file) ? file : `${file}/${DEEP}/${FEW}`,
    );
    if (lines.length === 0 && (named || call.stdin.text !== "")) return { text: SOME, from: "program" };
    return textStream(`${(lines.length === 0 ? [`./${DEEP}/${FEW}`] : lines).join("\n")}\n`, "program");
  }
  const kinds = optionValues(parsed, "--include").map(globbed);
  const chosen = has(parsed, "--exclude", "--exclude-from");
  const picked =
    chosen || optionValues(parsed, "--exclude-dir").some((dir) => !generated.test(dir)) ? [FEW] : [STAR];
  const starts = folders.length === 0 ? ["."] : folders;
  const lines = starts.flatMap((start) =>
    (kinds.length > 0 ? kinds : picked).map((name) => `${start}/${DEEP}/${name}`),
  );
  return textStream(`${lines.join("\n")}\n`, "program");
}

/** Does a `grep`, or a program like it, print the names of files? */
export function listsNames(argv: readonly string[]): boolean {
  return argv.some(
    (word) => /^-[a-zA-Z]*[lL][a-zA-Z]*$/.test(word) || word === "--files" || word.startsWith("--files-with"),
  );
}

/** Folders that nobody keeps protected files in: leaving them out says nothing about the rest. */
export const generated =
  /(?:^|\/)(?:\.git|node_modules|dist|build|out|target|vendor|\.?venv|coverage|__pycache__)(?:\/\*?)?$/;

/** `ls | grep '^name'` picks names out of a folder's list; null where the pattern or the list is another. */
function chosenNames(call: Call): Stream | null {
  const { operands, options } = readOptions(call.argv.slice(1), grepOptions);
  const found = /^\^((?:[\w.-]|\\\.)+)(\$?)$/.exec(operands[0] ?? "");
  if (found === null || operands.length > 1 || options.some(([name]) => name === "-v")) return null;
  if (call.stdin.text.split("\n", 1)[0] !== `./${STAR}`) return null;
  const name = (found[1] ?? "").replaceAll("\\", "");
  return textStream(`${name}${found[2] === "$" ? "" : STAR}\n`, "program");
}

/** Where a program lies, nobody looks; its name is what counts. */
export function located(call: Call): Stream {
  const names = call.argv.slice(1).filter((word) => !word.startsWith("-"));
  const places = names.map((name) => {
    if (name.includes("/")) return name;
    return name === "holdfast" ? ownProgram(call.run.world.home) : `/usr/bin/${name}`;
  });
  return textStream(`${places.join("\n")}\n`);
}

/** Where this very program is started from. */
export function ownProgram(home: string): string {
  return `${home}/.holdfast/bin/holdfast`;
}

/** What `ls` prints: names that were asked for, or anything. */
export function listing(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "IwT");
  if (has(parsed, "-l")) return { text: SOME, from: "program" };
  const all = `./${STAR}`;
  const lines = parsed.operands.map((word) =>
    !isKnown(word) || has(parsed, "-d") || /\.\w+$/.test(word) ? word : STAR,
  );
  // Hidden ones as well; nobody means all of them by that.
  const hidden = has(parsed, "-a", "-A", "--all", "--almost-all") ? [`./.${FEW}`] : [];
  const listed = lines.length === 0 ? [all, ...hidden] : lines;
  return asList(call, textStream(`${listed.join("\n")}\n`, "program"));
}

/** `tree -fi`: whole paths, of everything below its folders. */
export function treePaths(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "oLPIH filelimit timefmt charset sort");
  if (!has(parsed, "-f")) return unknownText;
  const starts = parsed.operands.length === 0 ? ["."] : parsed.operands;
  const below = has(parsed, "-P", "-I") ? FEW : STAR;
  const lines = starts.flatMap((start) => [start, `${start}/${DEEP}/${below}`]);
  return textStream(`${lines.join("\n")}\n`, "program");
}
