import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const src = resolve(import.meta.dirname, "../../src");

/**
 * Makes a script that plain Node runs, for tests that need the code in a process of its own.
 * `@/` in its imports stands for `src/`.
 */
export async function program(dir: string, source: string): Promise<string> {
  const entry = join(dir, "program.mts");
  const outfile = join(dir, "program.mjs");
  writeFileSync(entry, source);
  await build({
    entryPoints: [entry],
    outfile,
    alias: { "@": src },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  return outfile;
}
