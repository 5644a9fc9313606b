import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { type Problem, problem } from "../../core/problem.ts";
import { dict, list } from "../../core/read.ts";
import type { AgentSetup, Machine } from "../../core/setup.ts";
import type { Check, Exam } from "../check.ts";
import { installedScopes } from "../standing.ts";

/** Settings that switch every hook of an agent off, however well it is installed. */
export const check: Check = {
  id: "off-switches",
  words: "no setting of an agent switches its hooks off",
  find: (exam) =>
    exam.setups
      .filter((setup) => setup.offSwitches.length > 0 && installedScopes(setup, exam.machine).length > 0)
      .flatMap((setup) => setup.offSwitches.flatMap((key) => thrown(setup, key, exam))),
};

function thrown(setup: AgentSetup, key: string, { machine, env }: Exam): Problem[] {
  const agent = setup.agent.id;
  if (/^[A-Z_]+$/.test(key)) {
    const value = env[key];
    if (value === undefined || value === "" || value === "0" || value === "false") return [];
    const message = `${key} is set, so ${setup.agent.title} loads no hooks`;
    return [problem("HF203", message, { hint: `Unset ${key} where you start it.`, where: { agent } })];
  }
  return settingsFiles(setup, machine).flatMap((file) => {
    if (!isOff(key, valueAt(read(file), key))) return [];
    const message = `${key} switches every hook of ${setup.agent.title} off`;
    return [
      problem("HF203", message, {
        hint: "Change it there, if it is yours to change.",
        where: { file, agent },
      }),
    ];
  });
}

/** `…hooks` and `…enabled` switch off by being false; every other key by being true, or by naming hooks or ours. */
function isOff(key: string, value: unknown): boolean {
  if (/(^|\.)(hooks|enabled)$/.test(key)) return value === false;
  return value === true || list(value).some((name) => name === "hooks" || name === "holdfast");
}

function valueAt(root: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((node, part) => dict(node)[part], root);
}

/** The agent's own files in every scope, what lies beside them, and what an administrator may have set. */
function settingsFiles(setup: AgentSetup, machine: Machine): string[] {
  const plans = setup.scopes.flatMap((scope) => setup.files(scope, machine));
  const own = plans.filter((plan) => plan.kind === "json-list").map((plan) => plan.file);
  const beside = own.map((file) => join(dirname(file), "config.toml"));
  const system = `/etc/${setup.agent.id}`;
  const managed = ["managed-settings.json", "config.toml", "requirements.toml"].map((name) =>
    join(system, name),
  );
  const more = setup.settingsFiles?.(machine) ?? [];
  return own.length === 0 ? [] : [...new Set([...own, ...beside, ...managed, ...more])];
}

function read(file: string): unknown {
  try {
    const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
    return file.endsWith(".toml") ? parseToml(text) : parse(text);
  } catch {
    // Absent, or does not parse: the entries check tells.
    return null;
  }
}
