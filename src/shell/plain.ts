import type { AndOr, Assignment, Command, Pipeline, Script, Statement, Word } from "unbash";

/**
 * Parses a script of plain words, quoted texts without expansions, assignments in front of commands, and the signs
 * `;`, `&&`, `||`, `|` and line ends: most of what is ever run. A parser for all of bash reads it letter by letter,
 * which takes several times as long. Gives the same tree, but for the parts of its words, which have none. Null for
 * every other script.
 */
export function parsePlain(text: string): Script | null {
  const script = new Reader(text).script();
  return script === null
    ? null
    : { type: "Script", pos: 0, end: text.length, shebang: undefined, commands: script };
}

/** The text that a word without expansions stands for; null for every other word. */
export function unquoted(word: string): string | null {
  if (bare.test(word)) return word;
  return fixed.test(word) ? word.replace(quotes, "$1$2$3") : null;
}

const bare = /^[^$`*?[\]{}<>()"'\\]*$/;
const fixed = /^(?:[^$`*?[\]{}<>()"'\\]|'[^']*'|"[^"$`\\]*"|\\[^\n])*$/;
const quotes = /'([^']*)'|"([^"]*)"|\\([\s\S])/g;

const word = /[ \t]*(?:((?:[\w./@:,+%=^~-]|'[^']*'|"[^"$`\\]*"|\\[^\n])+)|(&&|\|\||[;|\n])|$)/y;
const assigned = /^([A-Za-z_]\w*)=/;

/** Words that mean something else than a program where a command begins, and programs that are given assignments. */
const special = new Set(
  "if then elif else fi for select while until do done case esac in function time coproc export declare local typeset readonly alias".split(
    " ",
  ),
);

class Reader {
  readonly #text: string;
  /** The token under way: a word, a sign, or the end. */
  #token = "";
  #isWord = false;
  #pos = 0;
  #next = 0;
  /** Where the token before it ends. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  script(): Statement[] | null {
    const statements: Statement[] = [];
    if (!this.#advance()) return null;
    for (;;) {
      if (!this.#skipLines()) return null;
      if (this.#atEnd()) return statements;
      const pos = this.#pos;
      const command = this.#andOr();
      if (command === null) return null;
      statements.push({ type: "Statement", pos, end: this.#end, command, background: undefined });
      if (this.#token === ";" && !this.#advance()) return null;
    }
  }

  #andOr(): AndOr | Pipeline | Command | null {
    const pos = this.#pos;
    const first = this.#pipeline();
    if (first === null || this.#isWord || (this.#token !== "&&" && this.#token !== "||")) return first;
    const commands = [first];
    const operators: ("&&" | "||")[] = [];
    while (!this.#isWord && (this.#token === "&&" || this.#token === "||")) {
      operators.push(this.#token);
      const next = this.#advance() && this.#skipLines() ? this.#pipeline() : null;
      if (next === null) return null;
      commands.push(next);
    }
    return { type: "AndOr", pos, end: this.#end, commands, operators };
  }

  #pipeline(): Pipeline | Command | null {
    const pos = this.#pos;
    const first = this.#command();
    if (first === null || this.#isWord || this.#token !== "|") return first;
    const commands = [first];
    const operators: "|"[] = [];
    while (!this.#isWord && this.#token === "|") {
      operators.push("|");
      const next = this.#advance() && this.#skipLines() ? this.#command() : null;
      if (next === null) return null;
      commands.push(next);
    }
    return { type: "Pipeline", pos, end: this.#end, prefixes: [], commands, operators };
  }

  #command(): Command | null {
    const pos = this.#pos;
    const prefix: Assignment[] = [];
    for (; this.#isWord; ) {
      const found = assigned.exec(this.#token);
      if (found === null) break;
      prefix.push(this.#assignment(found[1] ?? ""));
      if (!this.#advance()) return null;
    }
    if (!this.#isWord) return prefix.length === 0 ? null : command(pos, this.#end, undefined, prefix, []);
    // `a+=1` and `a[1]=2` are assignments as well.
    if (special.has(this.#token) || this.#token.includes("=")) return null;
    const name = new PlainWord(this.#token, this.#pos);
    const args: Word[] = [];
    if (!this.#advance()) return null;
    while (this.#isWord) {
      args.push(new PlainWord(this.#token, this.#pos));
      if (!this.#advance()) return null;
    }
    return command(pos, this.#end, name, prefix, args);
  }

  #assignment(name: string): Assignment {
    const text = this.#token;
    const from = name.length + 1;
    const value = new PlainWord(text.slice(from), this.#pos + from);
    const [pos, end] = [this.#pos, this.#next];
    return { type: "Assignment", pos, end, text, name, value, append: undefined, index: undefined };
  }

  #skipLines(): boolean {
    while (!this.#isWord && this.#token === "\n") if (!this.#advance()) return false;
    return true;
  }

  #atEnd(): boolean {
    return !this.#isWord && this.#token === "";
  }

  /** Reads the next token; false where the text is not plain. */
  #advance(): boolean {
    this.#end = this.#next;
    word.lastIndex = this.#next;
    const found = word.exec(this.#text);
    if (found === null) return false;
    this.#next = word.lastIndex;
    this.#isWord = found[1] !== undefined;
    this.#token = found[1] ?? found[2] ?? "";
    this.#pos = this.#next - this.#token.length;
    return true;
  }
}

class PlainWord implements Word {
  readonly type = "Word";
  readonly text: string;
  readonly pos: number;
  readonly end: number;
  readonly parts = undefined;

  constructor(text: string, pos: number) {
    this.text = text;
    this.pos = pos;
    this.end = pos + text.length;
  }

  /** Hardly ever asked for: who expands a word reads its text. */
  get value(): string {
    return unquoted(this.text) ?? this.text;
  }
}

function command(
  pos: number,
  end: number,
  name: Word | undefined,
  prefix: readonly Assignment[],
  args: readonly Word[],
): Command {
  return { type: "Command", pos, end, name, prefix, suffix: args, args, redirects: [] };
}
