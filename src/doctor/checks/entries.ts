import { chmodSync, statSync } from "node:fs";
import { type Problem, problem } from "../../core/problem.ts";
import type { Scope } from "../../core/setup.ts";
import type { Check, Exam } from "../check.ts";
import { isInstalled, type Standing, standingOf } from "../standing.ts";

/** Every part of an installed agent is in its file, once, as it was written, and the file parses. */
export const check: Check = {
  id: "entries",
  words: "every hook entry is where it was put, once, and as it was written",
  find: (exam) => exam.setups.flatMap((setup) => inspect(exam, setup.agent.id)),
  /** Gives a script of ours the mode back that it was written with. */
  fix({ setups, machine }, { code, where }) {
    const setup = setups.find(({ agent }) => agent.id === where.agent);
    if (code !== notExecutable || setup === undefined || where.file === undefined) return null;
    const plans = setup.scopes.flatMap((scope) => setup.files(scope, machine));
    const plan = plans.find(({ file }) => file === where.file);
    if (plan === undefined || !("mode" in plan)) return null;
    chmodSync(plan.file, (statSync(plan.file).mode & 0o7777) | plan.mode);
    return "executable again";
  },
};

const notExecutable = "HF108";

function inspect(exam: Exam, agent: string): Problem[] {
  const setup = exam.setups.find((one) => one.agent.id === agent);
  if (setup === undefined) return [];
  const scopes = setup.scopes.map((scope) => ({ scope, parts: standingOf(setup, scope, exam.machine) }));
  const expected = scopes.filter(
    ({ scope, parts }) => isInstalled(parts) || isRecorded(exam, agent, scope, parts),
  );
  const found = expected.flatMap(({ scope, parts }) =>
    parts.flatMap((part) => [...faults(part, scope), ...powerless(part)]),
  );
  // A file that does not parse matters even before anything of ours is in it: install will refuse it.
  const unread = scopes
    .filter((one) => !expected.includes(one))
    .flatMap(({ parts }) => parts.flatMap(unparsable));
  return unique([
    ...found,
    ...unread,
    ...twice(
      agent,
      expected.map(({ scope }) => scope),
    ),
  ]);
}

function faults(part: Standing, scope: Scope): Problem[] {
  const where = { file: part.plan.file, agent: part.agent };
  const again = `holdfast install --agent ${part.agent} --scope ${scope}`;
  switch (part.state) {
    case "absent":
      return [problem("HF101", "our entry is missing", { hint: again, where })];
    case "foreign":
      return [
        problem("HF101", "another file stands where ours belongs", {
          hint: `Move it away, then: ${again}`,
          where,
        }),
      ];
    case "edited": {
      const hint = `${again} shows the difference and puts ours back.`;
      if (part.harm === null)
        return [
          problem("HF102", "our entry was changed by hand, or an earlier version wrote it", {
            severity: "warning",
            hint,
            where,
          }),
        ];
      const message = `our entry was changed by hand and no longer guards what it should: ${part.harm}`;
      return [problem("HF102", message, { hint, where })];
    }
    case "other-version": {
      const message = "written by another version of Holdfast";
      return [problem("HF102", message, { severity: "warning", hint: again, where })];
    }
    case "unparsable":
      return unparsable(part);
    case "present":
      break;
  }
  if (part.count < 2) return [];
  const message = `our entry is there ${part.count} times, so every event is answered as often`;
  return [problem("HF103", message, { hint: `Remove all but the last one.`, where })];
}

function powerless({ runs, agent, plan: { file } }: Standing): Problem[] {
  if (runs) return [];
  const message = "our script may not be executed, so it is passed over and nothing is stopped";
  const hint = `chmod +x '${file}'`;
  return [problem(notExecutable, message, { hint, where: { file, agent }, fixable: true })];
}

function unparsable(part: Standing): Problem[] {
  if (part.state !== "unparsable" || part.fault === null) return [];
  const { words, line, column } = part.fault;
  return [
    problem("HF104", "the file does not parse, so the agent ignores it and its hooks", {
      cause: words,
      hint: "Mend it at the place named; Holdfast never rewrites a file it cannot read.",
      where: { file: part.plan.file, line, column, agent: part.agent },
    }),
  ];
}

/** Some agents run the same command from two scopes twice. */
function twice(agent: string, scopes: readonly Scope[]): Problem[] {
  const [keep, ...rest] = scopes;
  if (keep === undefined || rest.length === 0) return [];
  const message = `installed in ${scopes.join(" and ")} scope, so the tests may run twice at the end of a turn`;
  const hint = `holdfast uninstall --agent ${agent} --scope ${rest.at(-1)}`;
  return [problem("HF103", message, { severity: "warning", hint, where: { agent } })];
}

/** Was this part written here once? A file that belongs elsewhere by now, such as a hooks folder, is not missed. */
function isRecorded({ ledger }: Exam, agent: string, scope: Scope, parts: readonly Standing[]): boolean {
  const files = new Set(parts.map(({ plan }) => plan.file));
  const here = (ledger?.files ?? []).filter(({ file }) => files.has(file));
  const owners = here.flatMap(({ edits }) => edits.flatMap((edit) => edit.owners));
  return owners.some((owner) => owner.agent === agent && owner.scope === scope);
}

function unique(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter((p) => {
    const key = JSON.stringify([p.code, p.message, p.where]);
    return !seen.has(key) && seen.add(key);
  });
}
