import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../agents/claude-code/launch.ts";
import { setup } from "../agents/claude-code/setup.ts";
import { defaultSettings } from "../core/settings.ts";
import { perform, type Seen } from "./perform.ts";
import type { Restored } from "./proofs.ts";
import { type Installed, install, seedConfigs, type Trouble, uninstall } from "./round-trip.ts";
import type { Scene } from "./scenes.ts";
import { anthropicMessages } from "./server/anthropic-messages.ts";
import { scriptedModel } from "./server/server.ts";
import { buildTheatre, type Theatre, type TheatreOptions } from "./stage.ts";

/** Positions of the story's steps. */
export const chapters = { write: 0, shell: 1, push: 2, harmless: 3, wrong: 4, done: 5, right: 6 } as const;

/** Everything Holdfast has to say to an agent, in eight steps of one session. */
export const story: Scene = {
  from: "",
  steps: (project) => [
    { write: { path: `${project}/.env`, content: "TOKEN=1\n" } },
    { shell: "echo MORE=2 >> .env" },
    { shell: "git push --force origin main" },
    { write: { path: `${project}/notes.md`, content: "harmless\n" } },
    { write: { path: `${project}/answer.txt`, content: "41\n" } },
    { say: "I am done." },
    { write: { path: `${project}/answer.txt`, content: "42\n" } },
    { say: "Now I am done." },
  ],
};

export interface Demo {
  readonly theatre: Pick<Theatre, "root" | "home" | "project">;
  readonly installed: Installed;
  readonly seen: Seen;
  readonly restored: Restored;
}

/**
 * Plays the story with the stand-in agent as a process of its own, in a throw-away project that the
 * ordinary installer was run in. Nothing is left behind.
 */
export async function playDemo(options: TheatreOptions): Promise<Demo | Trouble> {
  const theatre = await buildTheatre(options);
  const model = await scriptedModel(anthropicMessages);
  try {
    seedConfigs(setup, theatre);
    const installed = await install(setup, "project", theatre, options.holdfast);
    if ("trouble" in installed) return installed;
    const { home, project } = theatre;
    const stage = { home, project, baseUrl: model.url, settings: defaultSettings };
    const program = [writeStandIn(theatre)];
    const seen = await perform(story, { theatre, model, launch, stage, program, timeoutMs: 60_000 });
    const restored = await uninstall(installed, setup, theatre, options.holdfast);
    if ("trouble" in restored) return restored;
    return { theatre, installed, seen, restored };
  } finally {
    await model.close();
    theatre.remove();
  }
}

/** A program that is started like the real agent and hands its prompt to the stand-in. */
function writeStandIn({ root }: Theatre): string {
  const file = join(root, "bin", "stand-in");
  writeFileSync(file, `#!/bin/sh\n# started as: stand-in -p PROMPT …\nexec holdfast demo --stand-in "$2"\n`);
  chmodSync(file, 0o755);
  return file;
}
