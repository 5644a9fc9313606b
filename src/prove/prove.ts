import { defaultSettings } from "../core/settings.ts";
import type { AgentSetup } from "../core/setup.ts";
import { judgeCloned, playCloned } from "./cloned.ts";
import { type Cast, perform, type Seen, secretOf } from "./perform.ts";
import { run } from "./process.ts";
import { foldersOf } from "./program.ts";
import { judge, type Performance } from "./proofs.ts";
import { readRecorded, recordPayloads, type Shapes } from "./recorder.ts";
import { type AgentReport, type ProofResult, worst } from "./report.ts";
import { install, seedConfigs, type Trouble, uninstall } from "./round-trip.ts";
import { below, glance, guard, type Scene, tests } from "./scenes.ts";
import { scriptedModel } from "./server/server.ts";
import { wires } from "./server/wires.ts";
import { buildTheatre, type TheatreOptions, writeTree } from "./stage.ts";

export interface ProveOptions extends TheatreOptions {
  /** Path of the agent's program. */
  readonly program: string;
  /** Leaves the stage behind for inspection. */
  readonly keep: boolean;
  /** Also plays a cloned repository with hooks whose Holdfast is missing or broken. */
  readonly cloned: boolean;
  /** What payloads are known to look like, to compare them with; null where nothing is to be recorded. */
  readonly shapes: ((agent: string) => Shapes | null) | null;
  /** Milliseconds one run of the agent may take. */
  readonly timeoutMs: number;
  progress(text: string): void;
}

/**
 * Proves one agent: installs Holdfast into a throw-away home and project with the ordinary installer,
 * plays every scene, uninstalls, plays the same calls again, and judges what was seen. Touches nothing
 * outside its stage. Throws only when the stage itself cannot be built.
 */
export async function proveAgent(setup: AgentSetup, options: ProveOptions): Promise<AgentReport> {
  const started = Date.now();
  const { launch } = setup;
  const { id, title } = setup.agent;
  const base = {
    agent: id,
    title,
    program: options.program,
    version: "",
    proofs: [],
    payloads: null,
    stage: null,
  };
  const wire = launch === null ? null : wires[launch.wire];
  if (launch === null || wire === null) {
    return { ...base, status: "not-run", why: `${title} cannot be run headless`, notProved: [], ms: 0 };
  }
  const programs = [...foldersOf(options.program), ...options.programs];
  const theatre = await buildTheatre({ ...options, programs });
  const model = await scriptedModel(wire, launch.isAside);
  const { home, project } = theatre;
  const stage = { home, project, baseUrl: model.url, settings: defaultSettings };
  const cast: Cast = { ...options, program: [options.program], theatre, model, launch, stage };
  try {
    const version = await versionOf(setup, cast);
    options.progress(`${title} ${version}`);
    const seen = await proofsOf(setup, cast, options);
    const proofs = "trouble" in seen ? [] : seen;
    return {
      ...base,
      version,
      status: worst(proofs.map((proof) => proof.status)),
      why: "trouble" in seen ? seen.trouble : "",
      proofs,
      notProved: [...launch.notProved, ...limits(setup)],
      payloads: options.shapes && readRecorded(setup.agent, theatre, version, options.shapes(id)),
      ms: Date.now() - started,
      stage: options.keep ? theatre.root : null,
    };
  } finally {
    await model.close();
    if (!options.keep) theatre.remove();
  }
}

async function proofsOf(
  setup: AgentSetup,
  cast: Cast,
  options: ProveOptions,
): Promise<ProofResult[] | Trouble> {
  const seen = await playAll(setup, cast, options);
  if ("trouble" in seen) return seen;
  if (!options.cloned) return judge(seen);
  const cloned = await playCloned(setup, cast, options);
  if ("trouble" in cloned) return cloned;
  return [...judge(seen), ...judgeCloned(cloned, cast.theatre)];
}

async function playAll(
  setup: AgentSetup,
  cast: Cast,
  { holdfast, progress, shapes }: ProveOptions,
): Promise<Performance | Trouble> {
  const { theatre, launch } = cast;
  const show = (title: string, scene: Scene, by: Cast = cast): Promise<Seen> => {
    progress(`  ${title}`);
    return perform(scene, by);
  };
  dress(cast);
  seedConfigs(setup, theatre);

  // An agent that keeps hooks for all projects alone is installed the same way twice.
  const scope = setup.scopes.includes("project") ? "project" : "user";
  const forProject = await install(setup, scope, theatre, holdfast);
  if ("trouble" in forProject) return forProject;
  if (shapes !== null) recordPayloads(theatre);
  const seen = {
    guard: await show("protected file, harmless calls, risky command", guard),
    below: launch.rootOnly ? null : await show("one folder below the root", below),
    tests: await show("failing tests, then passing ones", tests),
  };
  const variants: { name: string; seen: Seen }[] = [];
  for (const [name, variant] of Object.entries(launch.variants ?? {})) {
    const by = { ...cast, launch: variant };
    dress(by);
    variants.push({ name, seen: await show(`tools: ${name}`, glance, by) });
    dress(cast);
  }
  const afterProject = await uninstall(forProject, setup, theatre, holdfast);
  if ("trouble" in afterProject) return afterProject;

  const forUser = await install(setup, "user", theatre, holdfast);
  if ("trouble" in forUser) return forUser;
  if (shapes !== null) recordPayloads(theatre);
  const user = await show("installed for all projects, one folder below the root", below);
  const afterUser = await uninstall(forUser, setup, theatre, holdfast);
  if ("trouble" in afterUser) return afterUser;

  const restored = {
    touched: [...afterProject.touched, ...afterUser.touched],
    different: [...afterProject.different, ...afterUser.different],
  };
  const without = await show("the same without Holdfast", guard);
  return {
    can: setup.agent.can,
    secret: secretOf(launch),
    asksOnce: launch.asksOnce === true,
    theatre,
    ...seen,
    user,
    control: without,
    variants,
    restored,
  };
}

/** Proofs that the agent's own limits make void. */
function limits({ agent }: AgentSetup): string[] {
  const { effect, note } = agent.can["turn-end.continue"];
  return effect === "yes" ? [] : [`Tests at turn end: this agent cannot be sent back to work. ${note}`];
}

/**
 * Gives the agent its config: the scripted model, and nothing that would slow it down. Hooks may be installed
 * into the same files afterwards, so this is done again only for a variant and after it.
 */
function dress({ theatre, launch, stage }: Cast): void {
  writeTree(theatre.home, launch.homeFiles(stage));
  writeTree(theatre.project, launch.projectFiles?.(stage) ?? {});
}

async function versionOf(setup: AgentSetup, { program, theatre, launch, stage, timeoutMs }: Cast) {
  const env = { ...theatre.env, ...launch.env(stage) };
  const argv = [...program, ...setup.detect.versionArgs];
  const ran = await run(argv, { cwd: theatre.project, env, timeoutMs });
  return /\d+\.\d+\.\d+(?:[-+.]\w+)*/.exec(ran.stdout)?.[0] ?? "of unknown version";
}
