// Scores the guard on a labelled corpus of commands:
//   node scripts/score.mjs corpus.jsonl [--wrong] [--src] [--root DIR] [--home DIR] [--tmp DIR]
// Rows carry id, cmd (or gen), cwd?, expect, accept?, kind.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { readArguments } from "./arguments.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const usage = "node scripts/score.mjs corpus.jsonl [--wrong] [--src] [--root DIR] [--home DIR] [--tmp DIR]";
const { values, positionals } = readArguments(
  usage,
  {
    wrong: { type: "boolean" },
    src: { type: "boolean" },
    root: { type: "string", default: "/home/dev/app" },
    home: { type: "string", default: "/home/dev" },
    tmp: { type: "string", default: "/tmp" },
  },
  true,
);
const [file] = positionals;
if (file === undefined) {
  console.error(`usage: ${usage}`);
  process.exit(1);
}
const world = { root: values.root, home: values.home, tmp: values.tmp };

const corpus = readFileSync(file, "utf8");
const rows = corpus
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const answers = new Map(batch(corpus).map((answer) => [answer.id, answer]));
report();

/** Runs the batch mode of the built program, or of the sources when asked for or nothing is built. */
function batch(input) {
  const flags = ["--root", world.root, "--home", world.home, "--tmp", world.tmp];
  const built = join(here, "../dist/holdfast.cjs");
  if (existsSync(built) && !values.src) return run([built, "explain", "--batch", ...flags], input);
  const folder = mkdtempSync(join(tmpdir(), "holdfast-score-"));
  try {
    const entry = join(folder, "batch.cjs");
    bundle(entry);
    return run([entry], input);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bundle(outfile) {
  const source = `import { explainBatch } from "./src/cli/commands/explain-batch.ts";
    (async () => {
      for await (const line of explainBatch(process.stdin, ${JSON.stringify(world)})) process.stdout.write(line);
    })();`;
  buildSync({
    stdin: { contents: source, resolveDir: join(here, ".."), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "cjs",
    minify: true,
    outfile,
    logLevel: "error",
  });
}

function run(command, input) {
  const done = spawnSync(process.execPath, command, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(done.stderr || `the batch ended with ${done.status}`);
  return done.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function report() {
  const kinds = new Map();
  const wrong = [];
  for (const row of rows) {
    const given = answers.get(row.id)?.verdict ?? "none";
    const right = (row.accept ?? [row.expect]).includes(given);
    const risky = row.expect !== "allow";
    for (const kind of [row.kind, "all"]) {
      const sum = kinds.get(kind) ?? { risky: 0, right: 0, stopped: 0, harmless: 0, alarms: 0 };
      kinds.set(kind, sum);
      if (risky) {
        sum.risky++;
        sum.right += right;
        sum.stopped += right || given === "ask" || given === "deny";
      } else {
        sum.harmless++;
        sum.alarms += !right;
      }
    }
    if (!right) wrong.push({ row, given });
  }
  const cells = [["kind", "risky", "right", "stopped", "harmless", "false alarms"]];
  for (const [kind, sum] of [...kinds]
    .filter(([kind]) => kind !== "all")
    .sort()
    .concat([["all", kinds.get("all")]])) {
    cells.push([
      kind,
      sum.risky,
      share(sum.right, sum.risky),
      share(sum.stopped, sum.risky),
      sum.harmless,
      share(sum.alarms, sum.harmless),
    ]);
  }
  const widths = cells[0].map((_, at) => Math.max(...cells.map((line) => String(line[at]).length)));
  for (const line of cells)
    console.log(
      line.map((cell, at) => String(cell)[at === 0 ? "padEnd" : "padStart"](widths[at])).join("  "),
    );
  const times = [...answers.values()].map((answer) => answer.us).sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  console.log(
    `\nper decision  p50 ${at(0.5)} µs  p99 ${at(0.99)} µs  max ${times.at(-1)} µs  (${times.length} commands)`,
  );
  if (values.wrong) {
    for (const { row, given } of wrong) {
      console.log(
        `${row.id}  ${row.expect} → ${given}  [${answers.get(row.id)?.rules ?? ""}]  ${JSON.stringify(row.cmd ?? row.gen)}`,
      );
    }
  }
}

function share(part, whole) {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
