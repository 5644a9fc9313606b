// How often the guard stops everyday work: `node bench/everyday.mjs FILE [--stops FILE] [--json]`.
// FILE holds one command a line, or JSON lines {cmd, cwd?, kind?} for a project at /home/dev/app; no row is run.
// Every stop must have been looked at: bench/everyday/stops.json holds a judgement for each, "right: …" or
// "wrong: …", under the hash of the row. Exit 1 when a stop has none, or when more than 0.2 % are wrong.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "../scripts/arguments.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const project = "/home/dev/app";
const wrongLimit = 0.002;
const usage = "node bench/everyday.mjs FILE [--stops FILE] [--json]";
const options = {
  stops: { type: "string", default: join(root, "bench/everyday/stops.json") },
  json: { type: "boolean", default: false },
};
const { values, positionals } = readArguments(usage, options, true);
if (positionals[0] === undefined) {
  console.error(`usage: ${usage}`);
  process.exit(64);
}

const rows = readFileSync(positionals[0], "utf8").split("\n").filter(Boolean).map(readRow);
const judged = new Map(JSON.parse(readFileSync(values.stops, "utf8")).map((stop) => [stop.command, stop]));
const answers = new Map(batch().map((answer) => [answer.id, answer]));
const stopped = rows.flatMap((row) => {
  const { verdict, rules } = answers.get(row.id);
  if (verdict === "allow") return [];
  const judgement = judged.get(row.hash)?.judgement ?? null;
  return [{ command: row.hash, kind: row.kind, verdict, rules, judgement, text: row.cmd }];
});
const unjudged = stopped.filter(({ judgement }) => judgement === null);
const wrong = stopped.filter(({ judgement }) => judgement?.startsWith("wrong"));
if (values.json) console.log(JSON.stringify(stopped, null, 2));
else report();
process.exit(unjudged.length > 0 || wrong.length > rows.length * wrongLimit ? 1 : 0);

function readRow(line, at) {
  const row = line.startsWith("{") && line.includes('"cmd"') ? JSON.parse(line) : { cmd: line };
  const cwd = row.cwd ?? project;
  const hash = createHash("sha256").update(`${cwd}\0${row.cmd}`).digest("hex").slice(0, 16);
  return { id: String(at), cmd: row.cmd, cwd, kind: row.kind ?? "command", hash };
}

function batch() {
  const input = rows.map(({ id, cmd, cwd }) => JSON.stringify({ id, cmd, cwd })).join("\n");
  const world = ["--root", project, "--home", "/home/dev", "--tmp", "/tmp"];
  const program = process.env.HOLDFAST_PROGRAM ?? join(root, "dist/holdfast.cjs");
  const options = { input, encoding: "utf8", maxBuffer: 1 << 28 };
  const done = spawnSync(process.execPath, [program, "explain", "--batch", ...world], options);
  if (done.status !== 0) throw new Error(done.stderr || `the batch ended with ${done.status}`);
  return done.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function report() {
  for (const [title, group] of [
    ["kind", ({ kind }) => kind],
    ["rule", ({ rules }) => rules.join(", ")],
  ]) {
    const sums = counted(stopped, group);
    const of = title === "kind" ? counted(rows, group) : sums;
    for (const [name, many] of [...of].sort((a, b) => b[1] - a[1])) {
      const here = sums.get(name) ?? 0;
      console.log(`${name.padEnd(40)}${String(here).padStart(6)}${title === "kind" ? ` of ${many}` : ""}`);
    }
    console.log("");
  }
  for (const { command, rules, text } of unjudged) {
    console.log(`not judged: ${command}  ${rules.join(", ")}  ${JSON.stringify(text)}`);
  }
  const share = (many) => `${many} (${((100 * many) / rows.length).toFixed(2)} %)`;
  console.log(
    `${rows.length} commands: ${share(stopped.length)} stopped, ${share(wrong.length)} of them wrongly, ${unjudged.length} not judged.`,
  );
}

function counted(list, group) {
  const sums = new Map();
  for (const entry of list) sums.set(group(entry), (sums.get(group(entry)) ?? 0) + 1);
  return sums;
}
