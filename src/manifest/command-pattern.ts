/** What is wrong with a pattern of commands. */
export interface PatternFault {
  readonly message: string;
  readonly hint: string;
}

/**
 * Checks a pattern of `commands.rules`: a program, then words of the command in their places, `-x|--long` for
 * options that must be given, `!-x` and `!word` for what must not be there. It is no regular expression.
 */
export function patternFault(pattern: string): PatternFault | null {
  const [program = "", ...rest] = pattern.trim().split(/\s+/);
  const regex = /[\^$()[\]\\+?]|\.\*/.exec(pattern);
  if (regex !== null)
    return {
      message: `wants words of a command; "${regex[0]}" is a regular expression's`,
      hint: 'Write the command as it is typed: "git push -f|--force". Alternatives: |, any end of a word: *.',
    };
  if (/^[-!]/.test(program) || program.includes("*") || program === "")
    return { message: "wants the name of a program first", hint: 'For example "npm install".' };
  if (program.includes("/"))
    return {
      message: "wants a program's name without its folder",
      hint: `Write "${program.split("/").at(-1)}".`,
    };
  const torn = [program, ...rest].find((token) =>
    token
      .replace(/^!/, "")
      .split("|")
      .some((part) => part === ""),
  );
  if (torn !== undefined)
    return { message: `has an empty alternative in "${torn}"`, hint: "Take the extra | or ! out." };
  const starred = rest.find((token) => token !== "**" && token.split("|").some((part) => /.\*./.test(part)));
  return starred === undefined
    ? null
    : {
        message: `has a * in the middle of "${starred}"`,
        hint: "A * stands at the end or the start of a word.",
      };
}

/** One blank between the words, and the words in lower case, as commands are compared; options keep theirs. */
export function normalPattern(pattern: string): string {
  const words = pattern.trim().split(/\s+/);
  return words.map((word) => (/^!?-/.test(word) ? word : word.toLowerCase())).join(" ");
}

/** The id of a rule by its pattern: `rules/npm-install`. */
export function ruleIdOf(pattern: string): string {
  const words = pattern.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `rules/${words.replace(/^-|-$/g, "").slice(0, 40)}`;
}
