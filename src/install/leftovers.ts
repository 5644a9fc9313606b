import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentSetup, Machine } from "../core/setup.ts";
import { realPath, removeIfThere } from "../runtime/files.ts";
import { holdfastHome } from "../runtime/home.ts";
import { isRunning } from "../runtime/lock.ts";
import { tempStem } from "./disk.ts";
import { itemsFor } from "./plan.ts";
import { projectItems } from "./project.ts";

/**
 * Temp files beside the files that an install writes and in Holdfast's own folder, of runs that were killed before the
 * rename. Only those whose name is exactly ours, and only when the process in it is gone. Absolute paths.
 */
export function findLeftovers(setups: readonly AgentSetup[], machine: Machine): string[] {
  const wanted = setups.flatMap((setup) => setup.scopes.map((scope) => ({ setup, scope })));
  const own = machine.root === null ? [] : projectItems(machine.root, "project");
  const manifest = machine.root === null ? [] : [join(machine.root, "holdfast.yaml")];
  const planned = [...itemsFor(wanted, machine), ...own].map(({ plan }) => plan.file);
  const files = new Set([...planned, ...manifest].map((file) => realPath(file)));
  const home = holdfastHome(machine.env, machine.home);
  const inside = ["", "bin", "backups", "snapshots"].flatMap((name) => tempsIn(join(home, name), "", atomic));
  return [...new Set([...[...files].flatMap(tempsOf), ...inside])];
}

/** Removes them; returns those that are gone now. */
export function removeLeftovers(setups: readonly AgentSetup[], machine: Machine): string[] {
  return findLeftovers(setups, machine).filter((file) => {
    removeIfThere(file);
    return !isFile(file);
  });
}

/** What follows the name in a temp file of `writeTarget`, and of `writeAtomic`. */
const target = /^([1-9]\d{0,9})\.holdfast-tmp$/;
const atomic = /^\..+\.([1-9]\d{0,9})-\d+\.tmp$/;

function tempsOf(real: string): string[] {
  return tempsIn(dirname(real), tempStem(real), target);
}

function tempsIn(folder: string, stem: string, form: RegExp): string[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(stem) && isOfTheDead(name.slice(stem.length), form))
    .map((name) => join(folder, name))
    .filter(isFile);
}

function isOfTheDead(rest: string, form: RegExp): boolean {
  const pid = form.exec(rest)?.[1];
  return pid !== undefined && !isRunning(Number(pid));
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
