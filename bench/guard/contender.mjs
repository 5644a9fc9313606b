// One guard in a process of its own: `node contender.mjs NAME PASSES MODULE < rows.json`. Every row is decided
// PASSES times in this process, the first pass to warm up; printed are the last pass's verdicts and each row's
// fastest time in microseconds. Nothing but the decision is timed.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [name, passes, module] = process.argv.slice(2);
const loaded = await import(pathToFileURL(module).href);
const decide = { holdfast, "cc-safety-net": ccSafetyNet }[name];
const { rows, world } = JSON.parse(readFileSync(0, "utf8"));

const answers = rows.map(({ id }) => ({ id, verdict: "none", us: Number.POSITIVE_INFINITY }));
for (let pass = 0; pass < Number(passes); pass++) {
  rows.forEach((row, at) => {
    const command = row.cmd ?? row.gen.prefix + row.gen.unit.repeat(row.gen.n) + (row.gen.suffix ?? "");
    const started = process.hrtime.bigint();
    const verdict = decide(command, row.cwd);
    const us = Number(process.hrtime.bigint() - started) / 1000;
    const best = pass === 0 && Number(passes) > 1 ? Number.POSITIVE_INFINITY : Math.min(answers[at].us, us);
    answers[at] = { id: row.id, verdict, us: best };
  });
}
process.stdout.write(JSON.stringify(answers));

function holdfast(command, cwd) {
  return loaded.decide(command, { ...world, cwd });
}

/** Its library call; it knows allow and deny, and its documentation says not to run what it throws on. */
function ccSafetyNet(command, cwd) {
  if (command.trim() === "") return "allow";
  try {
    return loaded.checkCommand({ command, cwd }).kind;
  } catch {
    return "deny";
  }
}
