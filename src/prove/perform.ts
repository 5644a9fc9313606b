import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Launch, Stage } from "../core/setup.ts";
import { readEntries } from "../journal/read.ts";
import type { Entry } from "../journal/write.ts";
import { holdfastHome } from "../runtime/home.ts";
import { type Ran, run } from "./process.ts";
import { type Scene, sceneFiles, usualSecret } from "./scenes.ts";
import type { ScriptedModel } from "./server/server.ts";
import type { Told } from "./server/wire.ts";
import type { Theatre } from "./stage.ts";

/** Everything that came out of one run of the agent. */
export interface Seen {
  readonly ran: Ran;
  /** Number of times the model was asked to go on. */
  readonly requests: number;
  /** What the model was told after step `n`, counted from 0. */
  told(step: number): readonly Told[];
  /** Contents of the scene's files afterwards; null for a file that is not there. */
  readonly files: Readonly<Record<string, string | null>>;
  /** Subject of the last commit on the remote. */
  readonly remote: string;
  /** What Holdfast's journal gained meanwhile. */
  readonly journal: readonly Entry[];
}

/** The agent at hand and where it plays. */
export interface Cast {
  readonly theatre: Theatre;
  readonly model: ScriptedModel;
  readonly launch: Launch;
  readonly stage: Stage;
  /** The agent's program: its path, or a path to it and what starts it. */
  readonly program: readonly string[];
  readonly timeoutMs: number;
}

/** Runs the agent through one scene and looks at what happened. Leaves the project as it was. */
export async function perform(scene: Scene, cast: Cast): Promise<Seen> {
  const { theatre, stage } = cast;
  const before = journalOf(theatre).length;
  const recording = cast.model.play(scriptFor(scene, cast));
  const argv = [...cast.program, ...cast.launch.command("Do the task.", stage).slice(1)];
  const ran = await run(argv, {
    cwd: join(theatre.project, scene.from),
    env: { ...theatre.env, ...cast.launch.env(stage) },
    timeoutMs: cast.timeoutMs,
  });
  const files = takeFiles(theatre, secretOf(cast.launch));
  return {
    ran,
    requests: recording.main.length,
    told: (step) => recording.told(step + 2),
    files,
    remote: await remoteSubject(theatre),
    journal: journalOf(theatre).slice(before),
  };
}

/** Tells the model what to do at its n-th turn; a step the agent has no tool for becomes words, and stays them. */
function scriptFor(scene: Scene, { launch, stage }: Cast): Parameters<ScriptedModel["play"]>[0] {
  const steps = scene.steps(stage.project, secretOf(launch));
  return (n, offered) => {
    const step = steps[n - 1] ?? { say: "There is nothing left to do." };
    const call = launch.tool(step, stage, offered);
    if (call !== null) return { call };
    return "say" in step ? step : { say: "There is no tool for this." };
  };
}

/** Name of the protected file that is played with. */
export function secretOf(launch: Launch): string {
  return launch.protectedFile ?? usualSecret;
}

function takeFiles({ project }: Theatre, secret: string): Record<string, string | null> {
  const found: Record<string, string | null> = {};
  for (const name of [secret, ...sceneFiles]) {
    const file = join(project, name);
    found[name] = existsSync(file) ? readFileSync(file, "utf8") : null;
    rmSync(file, { force: true });
  }
  return found;
}

async function remoteSubject(theatre: Theatre): Promise<string> {
  const argv = ["git", "--git-dir", theatre.remote, "log", "-1", "--format=%s", "main"];
  const ran = await run(argv, { cwd: theatre.root, env: theatre.env, timeoutMs: 30_000 });
  return ran.stdout.trim();
}

function journalOf(theatre: Theatre): readonly Entry[] {
  return readEntries(holdfastHome({}, theatre.home)).entries;
}
