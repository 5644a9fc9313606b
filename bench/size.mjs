// Sizes of what ships and what the hook path loads; exits 1 over the budget or when the hook bundle holds a
// package it must not.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "../scripts/build.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const budget = {
  "hook.cjs": 180,
  "commands.cjs": 400,
  "foreign.cjs": 120,
  "lists.cjs": 40,
  "compile.cjs": 220,
  "cli.js": 900,
  tarball: 660,
};
const forbidden = ["yaml", "smol-toml", "jsonc-parser", "diff", "@clack/prompts", "picocolors"];

const [hook, commands, foreign, lists] = await build();
const over = [];
for (const name of [
  "holdfast.cjs",
  "hook.cjs",
  "commands.cjs",
  "foreign.cjs",
  "lists.cjs",
  "compile.cjs",
  "cli.js",
]) {
  const bytes = readFileSync(join(root, "dist", name));
  line(name, bytes.length / 1024, `${(gzipSync(bytes).length / 1024).toFixed(1)} KB gzip`);
}
const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root }),
);
line("tarball", packed.size / 1024, `${packed.entryCount} files`);

const packages = new Set(
  [hook, commands, foreign, lists]
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
);
console.log(`packages on the hook path: ${[...packages].join(", ") || "none"}`);
for (const name of packages) if (forbidden.includes(name)) over.push(`${name} is on the hook path`);
if (over.length > 0) {
  console.error(over.join("\n"));
  process.exit(1);
}

function line(name, kb, more) {
  const limit = budget[name];
  console.log(
    `${name.padEnd(14)}${kb.toFixed(1).padStart(9)} KB   ${more}${limit ? `   budget ${limit} KB` : ""}`,
  );
  if (limit !== undefined && kb > limit) over.push(`${name} is over its budget of ${limit} KB`);
}
