import { existsSync } from "node:fs";
import type { Event } from "../core/event.ts";
import type { Decision, Verdict } from "../core/verdict.ts";
import { findProject } from "../git/project.ts";
import { loadManifest } from "../manifest/load.ts";
import { type LoadedSettings, loadSettings } from "../manifest/snapshot.ts";
import { guard } from "../policies/guard/index.ts";
import { liveWorld } from "../runtime/context.ts";
import type { Args } from "./command.ts";

/** One call from the past and what the guard says to it today. */
export interface JudgedAgain {
  readonly at: string;
  readonly event: Event;
  readonly before: Decision;
  readonly now: Verdict;
}

/**
 * A judge of past calls, by the settings in force today where they happened. Nothing is run and git is not asked;
 * symlinks lead where they lead today.
 */
export function judgeAgain({ env, home, cwd: here }: Args) {
  const loaded = new Map<string, LoadedSettings>();
  const settingsFor = async (root: string | null, cwd: string): Promise<LoadedSettings> => {
    const place = `${root ?? ""}\0${existsSync(cwd) ? cwd : ""}`;
    const known = loaded.get(place) ?? (await loadSettings(root, cwd, env, home, async () => loadManifest));
    loaded.set(place, known);
    return known;
  };
  return async (event: Event, project: string | null): Promise<Verdict> => {
    const cwd = event.cwd ?? project ?? here;
    const root = project ?? findProject(cwd, null, home)?.root ?? null;
    const { settings } = await settingsFor(root, cwd);
    return guard(event, settings, liveWorld(root, cwd, env, home));
  };
}
