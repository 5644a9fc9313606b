import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { type Problem, problem } from "../../core/problem.ts";
import { dict, list, text } from "../../core/read.ts";
import type { AgentSetup, Machine, OffSwitch, Scope } from "../../core/setup.ts";
import type { Check } from "../check.ts";
import { installedScopes } from "../standing.ts";

/** Settings that switch every hook of an agent off, however well it is installed. */
export const check: Check = {
  id: "off-switches",
  words: "no setting of an agent switches its hooks off",
  find: ({ setups, machine }) =>
    setups.flatMap((setup) => thrownSwitches(setup, installedScopes(setup, machine), machine)),
};

/** The off switches of one agent that are thrown, given the scopes in which its hooks are, or are about to be. */
export function thrownSwitches(setup: AgentSetup, scopes: readonly Scope[], machine: Machine): Problem[] {
  if (scopes.length === 0) return [];
  return setup.offSwitches.flatMap((one) => thrown(one, setup, scopes, machine));
}

function thrown(one: OffSwitch, setup: AgentSetup, scopes: readonly Scope[], machine: Machine): Problem[] {
  const { id: agent, title } = setup.agent;
  switch (one.kind) {
    case "variable": {
      if (["", "0", "false"].includes(machine.env[one.name] ?? "")) return [];
      const message = `${one.name} is set, so ${title} loads no hooks`;
      return [problem("HF203", message, { hint: `Unset ${one.name} where you start it.`, where: { agent } })];
    }
    case "setting":
      return settingsFiles(setup, machine)
        .filter((file) => one.managed !== true || !isOwn(file, machine))
        .filter((file) => isOff(one.off, valueAt(read(file), one.key)))
        .map((file) => finding(`${one.key} switches every hook of ${title} off`, file, agent));
    case "shadow":
      return scopes
        .flatMap((scope) => filesOf(setup, scope, machine))
        .map((file) => join(dirname(file), one.name))
        .filter((file, index, all) => all.indexOf(file) === index)
        .flatMap((file) => one.keys.map((key) => ({ file, key })))
        .filter(({ file, key }) => Object.hasOwn(dict(read(file)), key))
        .map(({ file, key }) =>
          finding(`${key} in this file takes the place of Holdfast's beside it`, file, agent, shadowHint),
        );
    case "mention": {
      const file = one.file(machine);
      if (!existsSync(file) || !/holdfast/i.test(readText(file))) return [];
      return [finding(`Holdfast is on the list of what is off in ${title}`, file, agent)];
    }
  }
}

const shadowHint = "Move those hooks into the settings file, so that both run.";

function finding(message: string, file: string, agent: string, hint?: string): Problem {
  const otherwise = "Change it there, if it is yours to change.";
  return problem("HF203", message, { hint: hint ?? otherwise, where: { file, agent } });
}

function isOff(off: boolean | "named", value: unknown): boolean {
  if (off !== "named") return value === off;
  return list(value).some((name) => name === "hooks" || /holdfast/i.test(text(name) ?? ""));
}

function valueAt(root: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>((node, part) => dict(node)[part], root);
}

/** In the person's home or in the project, so not an administrator's. */
function isOwn(file: string, { home, root }: Machine): boolean {
  return [home, root].some((folder) => folder !== null && file.startsWith(folder + sep));
}

/** The agent's own files in every scope, installed or not, and the others it reads settings from. */
function settingsFiles(setup: AgentSetup, machine: Machine): string[] {
  const own = setup.scopes.flatMap((scope) => filesOf(setup, scope, machine));
  return [...new Set([...own, ...(setup.settingsFiles?.(machine) ?? []).flatMap(dropIns)])];
}

/** `settings.d/*.json` stands for the files of that kind in the folder, in the order they are read. */
function dropIns(file: string): string[] {
  const folder = /^(.+)\/\*(\.\w+)$/.exec(file);
  if (folder?.[1] === undefined || folder[2] === undefined) return [file];
  const [, path, ending] = folder;
  return namesIn(path)
    .filter((name) => name.endsWith(ending) && !name.startsWith("."))
    .sort()
    .map((name) => join(path, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Most machines have none.
    return [];
  }
}

function filesOf(setup: AgentSetup, scope: Scope, machine: Machine): string[] {
  const plans = setup.files(scope, machine);
  return plans.filter((plan) => plan.kind === "json-list").map((plan) => plan.file);
}

function read(file: string): unknown {
  try {
    return file.endsWith(".toml") ? parseToml(readText(file)) : parse(readText(file));
  } catch {
    // Absent, or does not parse: the entries check tells.
    return null;
  }
}

function readText(file: string): string {
  return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
}
