/** One thing a page tells its reader to do. */
export type Block =
  | {
      readonly kind: "run";
      readonly line: number;
      readonly script: string;
      /** What is printed, `…` standing for anything; null where the page does not say. */
      prints: string | null;
    }
  | { readonly kind: "file"; readonly line: number; readonly path: string; readonly text: string };

/**
 * The code blocks of a page in order. A `sh` block is run; a `text` block is what the one before it prints; any other
 * is a file, whose path stands alone on the line above. Throws on a block that is none of these: nothing on the page
 * may be untried.
 */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const match of page.matchAll(/^(?:`([^`\n]+)`\n\n)?```(\w*)\n([\s\S]*?)^```$/gm)) {
    const [whole, path, language, text = ""] = match;
    const line = page.slice(0, match.index + whole.indexOf("```")).split("\n").length;
    const last = blocks.at(-1);
    if (language === "sh") blocks.push({ kind: "run", line, script: text, prints: null });
    else if (language === "text" && last?.kind === "run" && last.prints === null) last.prints = text;
    else if (path !== undefined) blocks.push({ kind: "file", line, path, text });
    else throw new Error(`line ${line}: nobody knows what to do with this block`);
  }
  return blocks;
}

/** Is this what the page says is printed? Blanks at the ends of lines do not count. */
export function isAsTold(printed: string, told: string): boolean {
  const pattern = lines(told).map((line) =>
    line === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(escaped).join(".*")}\\n`,
  );
  return new RegExp(`^${pattern.join("")}$`).test(`${lines(printed).join("\n")}\n`);
}

function lines(text: string): string[] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim());
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
