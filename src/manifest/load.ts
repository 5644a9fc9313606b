import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
} from "yaml";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import type { Settings } from "../core/settings.ts";
import { decode } from "./decode.ts";
import type { Field, Written } from "./field.ts";
import { nearest } from "./nearest.ts";
import { salvage } from "./salvage.ts";
import { laterKeys, laterSections, manifestVersion, type SectionName, sections } from "./schema.ts";

/** What a manifest says, and what is wrong with it. */
export interface Loaded {
  /** Null when the file does not parse. */
  readonly settings: Settings | null;
  readonly problems: readonly Problem[];
  /** For a file that does not parse: the built-in settings with what of it still holds; null when nothing does. */
  readonly salvaged?: Settings | null;
}

const maxAliases = 100;

/**
 * Reads the bytes of a manifest. Never throws. A wrong value leaves the default of its key in force
 * and an error; an unknown key is a warning; a file that does not parse gives null and HF301, with
 * the paths it still protects; one that is no text HF302.
 */
export function loadManifest(bytes: Uint8Array, file: string): Loaded {
  const { text, problem: unreadable } = decode(bytes, file);
  const loaded = unreadable === null ? parseManifest(text, file) : { settings: null, problems: [unreadable] };
  if (loaded.settings !== null) return loaded;
  const salvaged = salvage(text, (section) => {
    const { settings, problems } = parseManifest(section, file);
    return problems.some(({ severity }) => severity === "error") ? null : settings;
  });
  const mend = unreadable === null ? "Mend it there" : unreadable.hint.replace(/\.$/, "");
  const hint = `${mend}; until then the built-in guards stay on, and the files its protect section names beside them.`;
  const problems = loaded.problems.map((found) => (salvaged === null ? found : { ...found, hint }));
  return { settings: null, problems, salvaged };
}

function parseManifest(text: string, file: string): Loaded {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
    const errors = document.errors.map((error) => notYaml(error.message, place(file, lines, error.pos[0])));
    if (errors.length > 0) return { settings: null, problems: errors.slice(0, 3) };
    let aliases = 0;
    visit(document, { Alias: () => (++aliases > maxAliases ? visit.BREAK : undefined) });
    if (aliases > maxAliases)
      return { settings: null, problems: [notYaml("too many aliases (*name)", { file })] };
    return new Reader(file, lines, (node) =>
      isAlias(node) ? (node.resolve(document) ?? null) : node,
    ).manifest(document.contents);
  } catch (error) {
    // The parser recurses; a file nested thousands of levels deep ends here.
    return { settings: null, problems: [notYaml(causeOf(error), { file })] };
  }
}

/** Walks the parsed file along the schema and gathers problems. */
class Reader {
  readonly #problems: Problem[] = [];
  readonly #file: string;
  readonly #lines: LineCounter;
  readonly #resolve: (node: unknown) => unknown;

  constructor(file: string, lines: LineCounter, resolve: (node: unknown) => unknown) {
    this.#file = file;
    this.#lines = lines;
    this.#resolve = resolve;
  }

  manifest(contents: unknown): Loaded {
    const root = this.#resolve(contents);
    if (!isEmpty(root) && !isMap(root)) {
      const message = "the file must hold keys such as protect: or tests:";
      return { settings: null, problems: [notYaml(message, this.#place(root))] };
    }
    const names = Object.keys(sections);
    const top = this.#map(root, "", ["version", ...names], laterSections);
    this.#version(top.get("version"));
    const inside = Object.fromEntries(
      names.map((name) => [name, this.#section(name as SectionName, top.get(name))]),
    ) as Record<SectionName, ReadonlyMap<string, unknown>>;
    const value = <T>(section: SectionName, key: string, field: Field<T>): T =>
      this.#value(`${section}.${key}`, field, inside[section].get(key));
    const { protect, commands, tests, review, git } = sections;
    const settings: Settings = {
      protect: {
        paths: value("protect", "paths", protect.keys.paths),
        except: value("protect", "except", protect.keys.except),
        reads: value("protect", "reads", protect.keys.reads),
        holdfast: value("protect", "holdfast", protect.keys.holdfast),
      },
      commands: {
        risky: value("commands", "risky", commands.keys.risky),
        packs: value("commands", "packs", commands.keys.packs),
        override: value("commands", "override", commands.keys.override),
        rules: value("commands", "rules", commands.keys.rules),
      },
      tests: {
        command: value("tests", "command", tests.keys.command),
        onFailure: value("tests", "on_failure", tests.keys.on_failure),
        maxRetries: value("tests", "max_retries", tests.keys.max_retries),
        timeoutMs: value("tests", "timeout", tests.keys.timeout),
        skipWhenUnchanged: value("tests", "skip_when_unchanged", tests.keys.skip_when_unchanged),
      },
      review: { maxDiffLines: value("review", "max_diff_lines", review.keys.max_diff_lines) },
      git: { runTests: value("git", "run_tests", git.keys.run_tests) },
    };
    return { settings, problems: this.#problems };
  }

  #section(name: SectionName, node: unknown): ReadonlyMap<string, unknown> {
    const value = this.#resolve(node);
    if (!isEmpty(value) && !isMap(value)) {
      this.#wrong(
        value,
        `${name} wants keys below it`,
        `Its keys: ${Object.keys(sections[name].keys).join(", ")}.`,
      );
    }
    return this.#map(value, name, Object.keys(sections[name].keys), laterKeys[name]);
  }

  /** The pairs of a map by key; reports keys that are unknown, reserved or given twice. */
  #map(
    node: unknown,
    inside: string,
    known: readonly string[],
    later: readonly string[],
  ): ReadonlyMap<string, unknown> {
    const found = new Map<string, unknown>();
    if (!isMap(node)) return found;
    for (const pair of node.items as Pair[]) {
      const key = keyOf(pair);
      if (found.has(key)) {
        this.#wrong(
          pair.key,
          `key "${key}" is given twice${under(inside)}`,
          "The last one counts; remove the others.",
        );
      } else if (!known.includes(key)) this.#unknown(pair.key, key, inside, known, later);
      found.set(key, pair.value);
    }
    return found;
  }

  #unknown(
    node: unknown,
    key: string,
    inside: string,
    known: readonly string[],
    later: readonly string[],
  ): void {
    const where = this.#place(node);
    if (later.includes(key)) {
      const message = `"${key}"${under(inside)} is not yet acted on`;
      this.#problems.push(problem("HF317", message, { severity: "warning", where }));
      return;
    }
    const near = nearest(key, [...known, ...later]);
    const message = `unknown key "${key}"${under(inside)}${near === null ? "" : ` — did you mean "${near}"?`}`;
    const hint = near === null ? `Known keys: ${known.join(", ")}.` : "`holdfast doctor --fix` renames it.";
    this.#problems.push(
      problem("HF310", message, { severity: "warning", hint, where, fixable: near !== null }),
    );
  }

  #value<T>(name: string, field: Field<T>, node: unknown): T {
    const value = this.#resolve(node);
    if (isEmpty(value)) return field.default;
    const read = field.read(this.#written(value));
    for (const { message, hint, index, key, stays, idle } of read.wrong) {
      const entry = index !== null && isSeq(value) ? this.#resolve(value.items[index]) : value;
      if (idle === true) {
        const where = this.#place(entry);
        this.#problems.push(problem("HF319", `${name} ${message}`, { severity: "warning", hint, where }));
        continue;
      }
      const otherwise =
        index === null
          ? `the default stays: ${field.write(field.default) || "found out by itself"}`
          : "the built-in list stays in force beside it";
      this.#wrong(this.#keyed(entry, key ?? null), `${name} ${message}; ${stays ?? otherwise}`, hint);
    }
    return read.value;
  }

  /** The key of a map, where it can be found; else the map. */
  #keyed(node: unknown, key: string | null): unknown {
    if (key === null || !isMap(node)) return node;
    return (node.items as Pair[]).find((pair) => keyOf(pair) === key)?.key ?? node;
  }

  #written(node: unknown): Written {
    const value = this.#resolve(node);
    const items = isSeq(value) ? value.items.map((item) => this.#item(item)) : null;
    return items === null ? this.#item(value) : { ...nothing, items };
  }

  /** A scalar, or a map of scalars; what lies deeper is never walked. */
  #item(node: unknown): Written {
    const value = this.#resolve(node);
    if (isScalar(value)) return scalar(value);
    if (!isMap(value)) return { ...nothing, other: true };
    const entries = (value.items as Pair[]).map((pair) => {
      const inner = this.#resolve(pair.value);
      return [keyOf(pair), isScalar(inner) ? scalar(inner) : { ...nothing, other: true }] as const;
    });
    return { ...nothing, other: true, entries };
  }

  #version(node: unknown): void {
    const value = this.#resolve(node);
    if (isEmpty(value) || (isScalar(value) && value.value === manifestVersion)) return;
    const newer = isScalar(value) && typeof value.value === "number" && value.value > manifestVersion;
    const hint = newer
      ? "Update Holdfast: npm install --global holdfast@latest"
      : `Write version: ${manifestVersion}`;
    const message = newer ? "the file is written for a newer Holdfast" : `version wants ${manifestVersion}`;
    this.#problems.push(problem("HF304", message, { hint, where: this.#place(value) }));
  }

  #wrong(node: unknown, message: string, hint: string): void {
    this.#problems.push(problem("HF303", message, { hint, where: this.#place(node) }));
  }

  #place(node: unknown): Problem["where"] {
    const range = (node as Partial<Node> | null | undefined)?.range;
    return place(this.#file, this.#lines, range?.[0] ?? 0);
  }
}

const nothing: Written = { value: undefined, raw: "", items: null, other: false, entries: null };

function scalar({ value, source }: Scalar): Written {
  return { ...nothing, value, raw: String(source ?? value) };
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.source ?? key.value) : "?";
}

function notYaml(message: string, where: Problem["where"]): Problem {
  return problem("HF301", "the file does not parse", {
    cause: /multiple documents/.test(message) ? "it holds several documents, parted by ---" : message,
    hint: "Mend it there; until then the built-in guards stay on.",
    where,
  });
}

function place(file: string, lines: LineCounter, offset: number): Problem["where"] {
  const { line, col } = lines.linePos(offset);
  return line === 0 ? { file } : { file, line, column: col };
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function under(section: string): string {
  return section === "" ? "" : ` in ${section}`;
}
