/** Small readers for input of unknown shape. None of them throws. */

export type Dict = Readonly<Record<string, unknown>>;

export function dict(value: unknown): Dict {
  return isDict(value) ? value : {};
}

export function isDict(value: unknown): value is Dict {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value when it is a string, else null. */
export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The first non-empty string among the named keys, else null. */
export function firstText(from: Dict, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = from[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function texts(value: unknown): string[] {
  return list(value).filter((item): item is string => typeof item === "string");
}

export function flag(value: unknown): boolean {
  return value === true;
}

/** The object that a JSON text holds; null when it holds anything else or is no JSON. */
export function parsedDict(json: string): Dict | null {
  if (!/^\s*\{/.test(json)) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isDict(value) ? value : null;
  } catch {
    return null;
  }
}

/** The string that a JSON text holds; null when it holds anything else or is no JSON. */
export function parsedText(json: string): string | null {
  try {
    return text(JSON.parse(json));
  } catch {
    return null;
  }
}

/** The list that a JSON text holds; empty when it holds anything else or is no JSON. */
export function parsedList(json: string): readonly unknown[] {
  try {
    return list(JSON.parse(json));
  } catch {
    return [];
  }
}
