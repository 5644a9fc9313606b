import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse, type Script, type Word, type WordPart } from "unbash";
import { describe, expect, it, test } from "vitest";
import { parsePlain, unquoted } from "../../src/shell/plain.ts";

/** A tree as data, with the texts of its words in the place of their parts. */
function shape(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shape);
  if (typeof node !== "object" || node === null) return node ?? null;
  if ((node as Word).type === "Word") return wordShape(node as Word);
  const { type, pos, end, ...rest } = node as Record<string, unknown>;
  const more = ["name", "value", "append", "index", "prefix", "suffix", "args", "redirects", "prefixes"];
  const names = [...Object.keys(rest), ...more].filter((name) => name !== "shebang" && !name.startsWith("#"));
  const found = [...new Set(names)]
    .sort()
    .map((name) => [name, shape((node as Record<string, unknown>)[name])]);
  return { type, pos, end, found: found.filter(([, value]) => value !== null) };
}

function wordShape({ text, pos, end, parts, value }: Word): unknown {
  return { text, pos, end, value: parts === undefined ? value : fixed(parts) };
}

function fixed(parts: readonly WordPart[]): string {
  return parts
    .map((part) =>
      "parts" in part && part.type === "DoubleQuoted" ? fixed(part.parts) : (part as { value: string }).value,
    )
    .join("");
}

function whole(text: string): unknown {
  const { errors, ...script } = parse(text) as Script & { readonly errors?: readonly unknown[] };
  return errors === undefined || errors.length === 0 ? shape(script.commands) : errors;
}

function quick(text: string): unknown {
  const script = parsePlain(text);
  return script === null ? null : shape(script.commands);
}

describe("a script of plain words", () => {
  it.each([
    "ls",
    "rm -rf a/b 'c d' \"e f\" g\\ h",
    "A=1 B='x y' npm test",
    "A=1",
    "cd x && npm test || echo no; ls | head -5 |\ntail",
    "\n\nls\n\npwd;\n",
    "echo if then a=b alias",
    "",
    " \t",
  ])("gives the tree that the whole parser gives: %j", (text) => {
    expect(quick(text)).toEqual(whole(text));
  });

  it.each([
    "if x; then y; fi",
    "export A=1",
    "time ls",
    "a+=1",
    "a[1]=2",
    "echo $x",
    'echo "$x"',
    "echo `x`",
    "ls *.ts",
    "echo {a,b}",
    "ls > x",
    "cat <<EOF",
    "ls &",
    "(ls)",
    "! ls",
    "ls # x",
    "ls;; pwd",
    "; ls",
    "ls &&",
    "| ls",
    "echo 'open",
    'echo "open',
    "echo \\",
    "a\\\nb",
    "é",
  ])("is none of these: %j", (text) => {
    expect(parsePlain(text)).toBeNull();
  });

  test("in every command of the list of verdicts, and in lines put together from parts", () => {
    const rows = readFileSync(join(import.meta.dirname, "../guard-commands/verdicts.jsonl"), "utf8");
    const commands = rows
      .split("\n")
      .filter(Boolean)
      .map((row) => (JSON.parse(row) as { command: string }).command);
    const plain = commands.filter((command) => quick(command) !== null);
    expect(plain.length).toBeGreaterThan(500);
    for (const command of plain)
      expect({ command, tree: quick(command) }).toEqual({ command, tree: whole(command) });
    const token = fc.constantFrom(
      ..."a b.c -x A=1 A= a=b=c if time { } ! '' \\a \\' x'y'\"z\" = += 1 ~/x #c % -- 'q\tr' \"d&&q\"".split(
        " ",
      ),
    );
    const sign = fc.constantFrom(
      " ",
      " ",
      "  ",
      "\t",
      ";",
      " && ",
      "||",
      "|",
      "\n",
      " ;\n",
      "&&\n",
      "",
      " & ",
      "<",
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(token, sign), { maxLength: 8 }), (parts) => {
        const text = parts.flat().join("");
        const tree = quick(text);
        if (tree !== null) expect({ text, tree }).toEqual({ text, tree: whole(text) });
      }),
      { numRuns: 5_000 },
    );
  });
});

test("a word without expansions stands for its text without quotes", () => {
  const part = fc.constantFrom(
    "a",
    "~",
    "=",
    "'",
    '"',
    "\\",
    " ",
    "$",
    "*",
    "{",
    "'b c'",
    '"d"',
    "\\\\",
    "\\'",
  );
  let known = 0;
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), (parts) => {
      const text = parts.join("");
      const { commands, errors } = parse(`x ${text}`) as Script & { readonly errors?: readonly unknown[] };
      const node = commands[0]?.command;
      const words = node?.type === "Command" ? node.suffix : [];
      const [word] = words;
      if (errors?.length || words.length !== 1 || word?.type !== "Word") return;
      const quickly = unquoted(word.text);
      if (quickly === null) return;
      known++;
      expect({ text, is: quickly }).toEqual({ text, is: (wordShape(word) as { value: string }).value });
    }),
    { numRuns: 5_000 },
  );
  expect(known).toBeGreaterThan(300);
});
