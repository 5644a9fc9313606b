// Holdfast's guard and cc-safety-net side by side on labelled commands, one report:
//   npm run bench:guard -- [FILE] [--json] [--passes N] [--wrong]
// FILE holds JSON lines {id, cmd | gen, cwd?, expect, accept?, kind} for a project at /home/dev/app; without one
// Holdfast's own test rows are taken, which flatter Holdfast. No row is ever run.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { readArguments } from "../scripts/arguments.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const cache = join(root, ".cache/guard-bench");
const ownRows = join(root, "test/guard-commands/verdicts.jsonl");
const options = {
  json: { type: "boolean", default: false },
  wrong: { type: "boolean", default: false },
  passes: { type: "string", default: "5" },
};
const usage = "npm run bench:guard -- [FILE] [--json] [--passes N] [--wrong]";
const { values, positionals } = readArguments(usage, options, true);

const other = installOther();
const stage = makeStage();
const rows = readRows(positionals[0]);
const contenders = [
  { title: "Holdfast", name: "holdfast", module: bundleOurs(), env: {} },
  ...["standard", "strict", "paranoid"].map((level) => ({
    title: `cc-safety-net ${level}`,
    name: "cc-safety-net",
    module: other.api,
    env: { CC_SAFETY_NET_LEVEL: level },
  })),
];
const results = contenders.map((contender) => ({ title: contender.title, ...measure(contender) }));
rmSync(join(cache, "world"), { recursive: true, force: true });
if (values.json) console.log(JSON.stringify({ versions: versions(), results }, null, 2));
else report();

/** Installs the other guard at its locked version into the cache folder, once. */
function installOther() {
  const folder = join(cache, "other");
  const lock = readFileSync(join(root, "bench/guard/package-lock.json"), "utf8");
  const copy = join(folder, "package-lock.json");
  if (!existsSync(copy) || readFileSync(copy, "utf8") !== lock || !existsSync(join(folder, "node_modules"))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), readFileSync(join(root, "bench/guard/package.json")));
    writeFileSync(copy, lock);
    const npm = ["ci", "--omit=peer", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", npm, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
  }
  const home = join(folder, "node_modules/cc-safety-net");
  return { api: join(home, "dist/api.js"), version: readJson(join(home, "package.json")).version };
}

/**
 * A real, empty project: cc-safety-net looks at the disk and refuses everything in a folder that is not there.
 * Both guards read the same text, with the imagined home put where this one really lies.
 */
function makeStage() {
  const home = join(cache, "world/home/dev");
  rmSync(join(cache, "world"), { recursive: true, force: true });
  mkdirSync(join(home, "app/src"), { recursive: true });
  execFileSync("git", ["init", "-q", join(home, "app")]);
  return { home, root: join(home, "app") };
}

function readRows(file) {
  const lines = readFileSync(file ?? ownRows, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
  const labelled = file === undefined ? lines.filter((line) => line.root === undefined).map(ownRow) : lines;
  return labelled.map((row) => {
    const cwd = moved(row.cwd ?? "/home/dev/app");
    if (cwd.startsWith(stage.home)) mkdirSync(cwd, { recursive: true });
    const gen = row.gen && { ...row.gen, prefix: moved(row.gen.prefix), unit: moved(row.gen.unit) };
    return { ...row, cwd, ...(row.cmd === undefined ? { gen } : { cmd: moved(row.cmd) }) };
  });
}

function ownRow({ expect, command }, at) {
  return { id: String(at), cmd: command, expect, kind: `expected: ${expect}` };
}

function moved(text) {
  return text.replaceAll(/\/home\/dev(?![\w-])/g, () => stage.home);
}

function bundleOurs() {
  const outfile = join(cache, "holdfast.cjs");
  const contents = `import { judgeCommand } from "./src/policies/guard/risky-commands.ts";
    import { defaultSettings } from "./src/core/settings.ts";
    export function decide(command, world) {
      return judgeCommand(command, defaultSettings, { ...world, realpath: (path) => path }).verdict.decision;
    }`;
  buildSync({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "cjs",
    minify: true,
    outfile,
    logLevel: "error",
  });
  return outfile;
}

function measure({ name, module, env }) {
  const world = { root: stage.root, home: stage.home, tmp: ["/tmp"], platform: "linux" };
  const clean = Object.entries(process.env).filter(([key]) => !/SAFETY_NET|^GIT_/.test(key));
  const done = spawnSync(
    process.execPath,
    [join(root, "bench/guard/contender.mjs"), name, values.passes, module],
    {
      input: JSON.stringify({ rows, world }),
      encoding: "utf8",
      cwd: stage.root,
      env: { ...Object.fromEntries(clean), ...env, HOME: stage.home },
      maxBuffer: 1 << 28,
    },
  );
  if (done.status !== 0) throw new Error(`${name}: ${done.stderr || done.error}`);
  const answers = JSON.parse(done.stdout);
  if (values.wrong) printWrong(name, answers);
  return { kinds: score(answers), us: spread(answers.map(({ us }) => us)) };
}

/** Counts by kind, in the order of the file, with the sum last. */
function score(answers) {
  const kinds = new Map(rows.map(({ kind }) => [kind, null]));
  const all = empty("all");
  rows.forEach((row, at) => {
    const sum = kinds.get(row.kind) ?? empty(row.kind);
    kinds.set(row.kind, sum);
    for (const into of [sum, all]) count(into, row, answers[at].verdict);
  });
  return [...kinds.values(), all];
}

function empty(kind) {
  return { kind, risky: 0, stopped: 0, right: 0, harmless: 0, alarms: 0 };
}

function count(sum, row, verdict) {
  const right = (row.accept ?? [row.expect]).includes(verdict);
  if (row.expect === "allow") {
    sum.harmless++;
    sum.alarms += right ? 0 : 1;
    return;
  }
  sum.risky++;
  sum.right += right ? 1 : 0;
  sum.stopped += right || verdict !== "allow" ? 1 : 0;
}

function printWrong(name, answers) {
  rows.forEach((row, at) => {
    const { verdict } = answers[at];
    if (!(row.accept ?? [row.expect]).includes(verdict)) {
      console.log(`${name}  ${row.id}  ${row.expect} → ${verdict}  ${JSON.stringify(row.cmd ?? row.gen)}`);
    }
  });
}

function spread(times) {
  const sorted = times.sort((a, b) => a - b);
  const at = (part) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]);
  return { p50: at(0.5), p99: at(0.99), worst: at(1) };
}

function versions() {
  return { holdfast: readJson(join(root, "package.json")).version, "cc-safety-net": other.version };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function report() {
  const { holdfast, "cc-safety-net": theirs } = versions();
  console.log(
    `Holdfast ${holdfast}, cc-safety-net ${theirs}, Node ${process.version}; ${rows.length} commands.`,
  );
  if (positionals[0] === undefined)
    console.log("These are Holdfast's own test rows: give a FILE to compare.");
  const totals = results.map(({ title, kinds, us }) => {
    const all = kinds.at(-1);
    const cells = [
      share(all.stopped, all.risky),
      share(all.right, all.risky),
      share(all.alarms, all.harmless),
    ];
    return [title, ...cells, us.p50, us.p99, us.worst];
  });
  table([["guard", "stopped", "right verdict", "false alarms", "p50 µs", "p99 µs", "worst µs"], ...totals]);
  console.log(
    "cc-safety-net has no ask: where a question is the labelled answer its refusal counts as stopped, not as right.",
  );
  console.log(
    `Times: the fastest of ${values.passes} passes (the first only warms up), one process a guard, by its own call.`,
  );
  const head = ["kind", "risky", "harmless", ...results.map(({ title }) => title)];
  const lines = results[0].kinds.map((sum, at) => [
    sum.kind,
    sum.risky,
    sum.harmless,
    ...results.map(({ kinds }) => `${kinds[at].stopped} / ${kinds[at].alarms}`),
  ]);
  console.log("\nOf each kind: risky commands stopped / false alarms on harmless ones");
  table([head, ...lines]);
}

function table(cells) {
  const widths = cells[0].map((_, at) => Math.max(...cells.map((line) => String(line[at]).length)));
  const text = cells.map((line) =>
    line.map((cell, at) => String(cell)[at === 0 ? "padEnd" : "padStart"](widths[at])).join("  "),
  );
  console.log(`\n${text.join("\n")}\n`);
}

function share(part, whole) {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
