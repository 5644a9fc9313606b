import { isDict } from "../core/read.ts";

/**
 * What payloads look like, without what they say: path of a field → names of the JSON types seen there, joined
 * by `|`. `a.b[].c` is field `c` of the objects in the list `b` of `a`; a path that ends in `?` was not in every
 * object that could have held it; `*` stands for names that are themselves data (paths, ids).
 */
export type Shape = Readonly<Record<string, string>>;

/** How payloads differ from what is known of them, each in words. */
export interface Drift {
  /** What a reader of the known shape would trip over. */
  readonly failures: readonly string[];
  /** What is only news. */
  readonly notes: readonly string[];
}

/** The shape all of these have in common. */
export function shapeOf(payloads: readonly unknown[]): Shape {
  const found: Found = { types: new Map(), holders: new Map() };
  for (const payload of payloads) look(payload, "", found);
  const shape: Record<string, string> = {};
  for (const [path, { types, times, parent }] of found.types) {
    const always = !path.endsWith("*") && (/^$|\[\]$/.test(path) || times === found.holders.get(parent));
    shape[always ? path : `${path}?`] = [...types].sort().join("|");
  }
  return sorted(shape);
}

/** Both in one: what either allows. A field that only one of them has is not in every object. */
export function mergeShapes(one: Shape, other: Shape): Shape {
  const [a, b] = [fieldsOf(one), fieldsOf(other)];
  const shape: Record<string, string> = {};
  for (const path of new Set([...a.keys(), ...b.keys()])) {
    const [mine, yours] = [a.get(path), b.get(path)];
    const missing = (mine === undefined && holds(a, path)) || (yours === undefined && holds(b, path));
    const optional = missing || mine?.optional === true || yours?.optional === true;
    const types = new Set([...(mine?.types ?? []), ...(yours?.types ?? [])]);
    shape[optional ? `${path}?` : path] = [...types].sort().join("|");
  }
  return sorted(shape);
}

/**
 * Compares what was seen with what is known. `reads` tells whether our parser looks at a field: one of those that
 * is missing is a failure, and so is a field of another type; anything else is a note.
 */
export function compareShapes(known: Shape, seen: Shape, reads: (path: string) => boolean): Drift {
  const [before, now] = [fieldsOf(known), fieldsOf(seen)];
  const failures: string[] = [];
  const notes: string[] = [];
  for (const [path, { types, optional }] of before) {
    const found = now.get(path);
    const other = [...(found?.types ?? [])].filter((type) => !types.has(type));
    if (other.length > 0) {
      failures.push(`${named(path)} was ${said(types)} and is now ${said(new Set(other))}`);
      continue;
    }
    const gone = found === undefined ? holds(now, path) && !path.endsWith("[]") : found.optional;
    if (!gone || optional) continue;
    const words = `${named(path)} is ${found === undefined ? "missing" : "sometimes missing"}`;
    (reads(path) ? failures : notes).push(words);
  }
  for (const [path, { types }] of now) {
    if (!before.has(path) && holds(before, path)) notes.push(`${named(path)} is new: ${said(types)}`);
  }
  return { failures, notes };
}

/** Calls `use` with the value, and returns the paths of all fields that were looked at meanwhile. */
export function fieldsRead(value: unknown, use: (watched: unknown) => void): ReadonlySet<string> {
  const read = new Set<string>();
  use(watched(value, "", read));
  return read;
}

interface Found {
  readonly types: Map<string, { types: Set<string>; times: number; parent: string }>;
  /** How many objects were seen at a path. */
  readonly holders: Map<string, number>;
}

interface Field {
  readonly types: ReadonlySet<string>;
  readonly optional: boolean;
}

function look(value: unknown, path: string, found: Found, parent = ""): void {
  const known = found.types.get(path) ?? { types: new Set<string>(), times: 0, parent };
  known.types.add(typeName(value));
  known.times += 1;
  found.types.set(path, known);
  if (Array.isArray(value)) for (const item of value) look(item, `${path}[]`, found, path);
  if (!isDict(value)) return;
  found.holders.set(path, (found.holders.get(path) ?? 0) + 1);
  const fields = Object.entries(value).map(([name, inner]) => [below(path, name), inner] as const);
  for (const [field, inner] of new Map(fields)) look(inner, field, found, path);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

function below(path: string, name: string): string {
  const plain = isData(name) ? "*" : name;
  return path === "" ? plain : `${path}.${plain}`;
}

/** Paths, ids and numbers are data wherever they stand, also as the name of a field. */
function isData(name: string): boolean {
  return name === "" || /[^\w$-]|\d{4}/.test(name) || /^\d+$/.test(name) || /^[0-9a-f-]{16,}$/.test(name);
}

function fieldsOf(shape: Shape): Map<string, Field> {
  return new Map(
    Object.entries(shape).map(([path, types]) => [
      path.replace(/\?$/, ""),
      { types: new Set(types.split("|")), optional: path.endsWith("?") },
    ]),
  );
}

/** True when what could have held this field was there. The payload itself always could. */
function holds(fields: ReadonlyMap<string, Field>, path: string): boolean {
  const parent = path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf(".")));
  return fields.get(parent)?.types.has(path.endsWith("[]") ? "list" : "object") === true;
}

function named(path: string): string {
  return path === "" ? "the payload" : path;
}

function said(types: ReadonlySet<string>): string {
  const words = [...types].map((type) => {
    if (type === "null") return "null";
    return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
  });
  return words.join(" or ");
}

function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const inner: unknown = Reflect.get(target, key);
      if (typeof key === "symbol" || typeof inner === "function") return inner;
      if (Array.isArray(target)) return /^\d+$/.test(key) ? watched(inner, `${path}[]`, read) : inner;
      const field = below(path, key);
      read.add(field);
      return watched(inner, field, read);
    },
  });
}

function sorted(shape: Record<string, string>): Shape {
  return Object.fromEntries(Object.entries(shape).sort(([a], [b]) => (a < b ? -1 : 1)));
}
