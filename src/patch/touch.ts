/** One file a patch touches. `move`: it is moved away from this path. */
export interface Touch {
  readonly path: string;
  readonly action: "write" | "delete" | "move";
}

/** Without repeats, in the order they were found. */
export function distinct(touches: readonly Touch[]): Touch[] {
  const seen = new Set<string>();
  return touches.filter(({ path, action }) => {
    const key = `${action} ${path}`;
    if (path === "" || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
