import type { Dict } from "../core/read.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import { idlePattern } from "./idle-pattern.ts";

/** One scalar of the manifest as the parser saw it. */
export interface Written {
  /** The parsed value; for a list, see `items`. */
  readonly value: unknown;
  /** The characters in the file, before YAML gave them a type. */
  readonly raw: string;
  /** Set when the value is a list. */
  readonly items: readonly Written[] | null;
  /** Set when the value is a map or anything else that is no scalar and no list. */
  readonly other: boolean;
  /** Set when the value is a map: its keys in order. */
  readonly entries: readonly (readonly [string, Written])[] | null;
}

/** A value that is not what its key wants. */
export interface Wrong {
  readonly message: string;
  readonly hint: string;
  /** Which entry of a list is meant. */
  readonly index: number | null;
  /** Which key of a map is meant, inside that entry where there is one. */
  readonly key?: string | null;
  /** What happens with it, where that is not the default staying in force. */
  readonly stays?: string;
  /** It is in force as written, and that does nothing. */
  readonly idle?: boolean;
}

export interface Read<T> {
  readonly value: T;
  readonly wrong: readonly Wrong[];
}

/** One key of the manifest: its type, its default, and the words that explain it. */
export interface Field<T> {
  readonly default: T;
  /** One sentence for editors and the docs. */
  readonly words: string;
  /** A few words that stand beside the key in a fresh manifest. */
  readonly note: string;
  /** JSON Schema of the value, without description and default. */
  readonly json: Dict;
  /** Never fails: a wrong value gives the default, or what protects more, and says so. */
  read(written: Written): Read<T>;
  /** The value as it is written in YAML. */
  write(value: T): string;
  /** The same value from plain JSON, for defaults in the JSON Schema. */
  plain(value: T): unknown;
}

export interface About<T> {
  readonly default: T;
  readonly words: string;
  readonly note?: string;
}

/** A list of non-empty texts. Where an entry is wrong, the defaults stay in force beside the good ones. */
export function texts(about: About<readonly string[]>): Field<readonly string[]> {
  return {
    ...base(about),
    json: { type: "array", items: { type: "string", minLength: 1 } },
    read(written) {
      if (written.items === null) {
        const hint = isText(written) ? `Put it in brackets: [${quote(String(written.value))}]` : "";
        return { value: about.default, wrong: [{ message: "wants a list of texts", hint, index: null }] };
      }
      const good: string[] = [];
      const wrong: Wrong[] = [];
      for (const [index, item] of written.items.entries()) {
        if (isText(item) && String(item.value).trim() !== "") good.push(String(item.value));
        else wrong.push({ message: "wants texts only", hint: quoteHint(item), index });
      }
      return { value: wrong.length === 0 ? good : [...new Set([...about.default, ...good])], wrong };
    },
    write: (value) => `[${value.map(quote).join(", ")}]`,
    plain: (value) => value,
  };
}

/** A list of patterns of files; those that cannot match what was meant are told, and stay as they are. */
export function patterns(
  about: About<readonly string[]> & { readonly isExcept?: boolean },
): Field<readonly string[]> {
  const list = texts(about);
  return {
    ...list,
    read(written) {
      const { value, wrong } = list.read(written);
      const idle = (written.items ?? []).flatMap((item, index): Wrong[] => {
        const found = isText(item) ? idlePattern(String(item.value).trim(), about.isExcept === true) : null;
        return found === null ? [] : [{ ...found, index, idle: true }];
      });
      return { value, wrong: [...wrong, ...idle] };
    },
  };
}

/** A text; absent or empty in YAML (`key:`) means null. */
export function textOrNull(about: About<string | null>): Field<string | null> {
  return {
    ...base(about),
    json: { type: ["string", "null"] },
    read(written) {
      if (isText(written)) return { value: String(written.value), wrong: [] };
      return {
        value: about.default,
        wrong: [{ message: "wants a text", hint: quoteHint(written), index: null }],
      };
    },
    write: (value) => (value === null ? "" : quoteIfNeeded(value)),
    plain: (value) => value,
  };
}

export function flag(about: About<boolean>): Field<boolean> {
  return {
    ...base(about),
    json: { type: "boolean" },
    read(written) {
      if (typeof written.value === "boolean") return { value: written.value, wrong: [] };
      const hint = /^(on|yes)$/i.test(written.raw)
        ? "Write true."
        : /^(off|no)$/i.test(written.raw)
          ? "Write false."
          : "";
      return { value: about.default, wrong: [{ message: "wants true or false", hint, index: null }] };
    },
    write: String,
    plain: (value) => value,
  };
}

/** A whole number between `min` and `max`. */
export function count(about: About<number> & { readonly min: number; readonly max: number }): Field<number> {
  const wanted = `wants a whole number from ${about.min} to ${about.max}`;
  return {
    ...base(about),
    json: { type: "integer", minimum: about.min, maximum: about.max },
    read(written) {
      const value = written.value;
      if (typeof value === "number" && Number.isInteger(value) && value >= about.min && value <= about.max) {
        return { value, wrong: [] };
      }
      return { value: about.default, wrong: [{ message: wanted, hint: "", index: null }] };
    },
    write: String,
    plain: (value) => value,
  };
}

/** A time between one second and `max`, in milliseconds once read. */
export function duration(
  about: About<number> & { readonly max: number; readonly why: string },
): Field<number> {
  return {
    ...base(about),
    json: {
      anyOf: [
        { type: "string", pattern: "^([0-9]+h)?([0-9]+m)?([0-9]+s)?$", minLength: 2 },
        { type: "number", minimum: 1, maximum: about.max / 1000 },
      ],
    },
    read(written) {
      const wrong = (message: string, hint: string): Read<number> => ({
        value: about.default,
        wrong: [{ message, hint, index: null }],
      });
      const ms = written.items === null && !written.other ? parseDuration(written.raw) : null;
      if (ms === null) return wrong("wants a time", "Write 30s, 9m, 1h30m, or a number of seconds.");
      if (ms < 1000) return wrong("wants at least one second", "");
      if (ms > about.max) return wrong(`may be ${formatDuration(about.max)} at most`, about.why);
      return { value: ms, wrong: [] };
    },
    write: formatDuration,
    plain: formatDuration,
  };
}

/** One of a few words. */
export function choice<const W extends string>(of: readonly W[], about: About<NoInfer<W>>): Field<W> {
  return {
    ...base(about),
    json: { enum: of },
    read(written) {
      // YAML 1.1 files turn `off` into false; what was written is what was meant.
      const found = of.find((word) => word === written.raw);
      if (found !== undefined) return { value: found, wrong: [] };
      return { value: about.default, wrong: [{ message: `wants ${orList(of)}`, hint: "", index: null }] };
    },
    write: (value) => value,
    plain: (value) => value,
  };
}

function base<T>(about: About<T>): Pick<Field<T>, "default" | "words" | "note"> {
  return { default: about.default, words: about.words, note: about.note ?? "" };
}

function isText(written: Written): boolean {
  return written.items === null && !written.other && typeof written.value === "string";
}

function quoteHint(written: Written): string {
  if (written.items !== null || written.other || written.value === null) return "";
  return typeof written.value === "string" ? "It is empty." : `Put it in quotes: ${quote(written.raw)}`;
}

/** `a, b or c`. */
function orList(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** A text in double quotes; JSON strings are valid YAML. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** Plain where YAML reads it back as the same text, else quoted. */
export function quoteIfNeeded(text: string): string {
  const plain = /^[A-Za-z_./][A-Za-z0-9_./ +=@~-]*$/.test(text) && text.trim() === text;
  const typed = /^(true|false|null|yes|no|on|off|y|n|~|\.nan|[-+]?\.inf|\.\d+.*)$/i.test(text);
  return plain && !typed ? text : quote(text);
}
