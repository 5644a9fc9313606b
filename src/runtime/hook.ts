import { borrowers } from "../agents/borrowers.ts";
import type { AgentId } from "../agents/ids.ts";
import { agents } from "../agents/index.ts";
import type { Agent, Reply } from "../core/agent.ts";
import { silent } from "../core/agent.ts";
import { callKey, shortId } from "../core/call.ts";
import { carry } from "../core/carry.ts";
import type { Event } from "../core/event.ts";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import type { Settings } from "../core/settings.ts";
import { compose, type Verdict, verdict } from "../core/verdict.ts";
import { findProject } from "../git/project.ts";
import { entryOf, writeEntry } from "../journal/write.ts";
import { findManifest, loadSettings, loadSettingsFrom, userManifest } from "../manifest/snapshot.ts";
import { decide } from "../pipeline/decide.ts";
import type { Context } from "../policies/context.ts";
import { allowedOnce, guardUnlessPermitted, withoutSnoozed } from "../policies/guard/permit.ts";
import { callerOf, isAnsweredElsewhere } from "./caller.ts";
import { liveContext } from "./context.ts";
import { childMark, homeOf } from "./environment.ts";
import { keepForLater, withKept } from "./held.ts";
import { holdfastHome } from "./home.ts";
import { readPayload } from "./payload.ts";
import { openPermits } from "./permits.ts";
import { movedTo, type Place, placeOf } from "./place.ts";
import { recordProblem } from "./problems.ts";
import { pruneSessions, stateDir } from "./state.ts";
import { readStdin, writeAll } from "./stdio.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Days after which a session that said nothing is forgotten. */
const keptDays = 30;

/** One call of `holdfast hook <agent> <event>`. */
interface HookCall {
  /** The agent the command line names. */
  readonly named: AgentId;
  /** The agent that calls. */
  readonly agent: Agent;
  readonly event: string | null;
  readonly argv: readonly string[];
  readonly env: Env;
  readonly cwd: string;
  readonly home: string;
}

/**
 * What agents call. Reads one event on stdin, prints one answer in the agent's own form, and exits with the
 * agent's own code. Whatever goes wrong in here allows the call, warns once on stderr, and leaves a record
 * that `holdfast doctor` shows: a hook never locks a person out.
 */
export function main(): void {
  const env = process.env;
  const fail = (error: unknown) => finish(failed(error, env));
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  answer(process.argv.slice(3), env).then(finish, fail);
}

async function answer([id = "", event, ...argv]: readonly string[], env: Env): Promise<Reply> {
  if (!isAgent(id)) {
    const known = Object.keys(agents).join(", ");
    return warned(`holdfast: unknown agent "${id}", nothing was checked (known: ${known})\n`);
  }
  if (env.HOLDFAST === "0") return silent;
  const cwd = workingDirectory(env);
  return judge({
    named: id,
    agent: agents[id],
    event: event ?? null,
    argv,
    env,
    cwd,
    home: homeOf(env),
  });
}

function isAgent(id: string): id is AgentId {
  return Object.hasOwn(agents, id);
}

async function judge(asNamed: HookCall): Promise<Reply> {
  const { documents, problem: damage } = await payloadOf(asNamed);
  const caller = callerOf(asNamed.named, borrowers, documents[0], asNamed.env);
  const call = { ...asNamed, agent: agents[caller] };
  if (damage !== null) {
    const project = findProject(call.cwd, null, call.home)?.root ?? null;
    const by = { ...damage, where: { ...damage.where, agent: call.agent.id } };
    recordProblem(by, call.env, call.home, { project, event: call.event });
  }
  const events = documents.flatMap((document) => {
    const event = call.agent.parse(document, call);
    return event === null ? [] : [event];
  });
  const [event] = events;
  if (event === undefined) return damage === null ? silent : warned(warningFor(damage));
  const place = placeOf(event, call.cwd, call.home);
  const { root, cwd, start } = place;
  const stateFolder = () => stateDir(root ?? "", holdfastHome(call.env, call.home));
  const isOwn = caller === call.named;
  if (borrowers[caller] && isAnsweredElsewhere(event, isOwn, stateFolder(), Date.now())) return silent;
  const loaded = await loadSettings(start.root, start.cwd, call.env, call.home, loadCompiler);
  const origin = { project: root, event: event.name };
  for (const wrong of loaded.problems)
    if (wrong.severity === "error") recordProblem(wrong, call.env, call.home, origin);
  if (event.name === "turn-end") pruneSessions(stateFolder(), keptDays, Date.now());
  const settings = settingsFor(event, loaded.settings, root, call);
  const verdicts: Verdict[] = [];
  const context = liveContext(event, root, cwd, call.env, call.home);
  for (const one of events) {
    const its = one === event ? context : liveContext(one, root, cwd, call.env, call.home);
    const said = (await decide(one, settings, its)).verdict;
    verdicts.push(said);
    if (one.name === "pre-tool" && !said.by.includes(allowedOnce))
      verdicts.push(await addedHere(one, place, loaded.file, context, call));
  }
  if (loaded.warning !== null) verdicts.push(verdict({ messages: [loaded.warning] }));
  const decided = withKept(compose(verdicts), event, call.agent.can, context);
  return settle(decided, event, root, context, call);
}

/** A manifest in the folder that the agent has moved to may add to what is stopped; it takes nothing away. */
async function addedHere(
  event: Event,
  place: Place,
  governing: string | null,
  context: Context,
  { env, home }: HookCall,
): Promise<Verdict> {
  const moved = movedTo(place, home);
  const file = moved === null ? null : findManifest(moved.root, place.cwd, env, home);
  if (moved === null || file === null || file === governing || file === userManifest(env, home))
    return verdict({});
  const { settings } = await loadSettingsFrom(file, env, home, loadCompiler);
  const key = callKey(event, place.root);
  const permits = { ...context.permits, take: () => key !== null && context.permits.take(key) };
  const here = liveContext(event, moved.root, place.cwd, env, home);
  return guardUnlessPermitted(event, settings, Object.create(here, { permits: { value: permits } }));
}

/** Fits the verdict to the agent, writes it down, and gives the answer in the agent's form. */
function settle(
  decided: Verdict,
  event: Event,
  root: string | null,
  context: Context,
  call: HookCall,
): Reply {
  const key = decided.by.length === 0 ? null : callKey(event, root);
  const carried = carry(decided, event, call.agent.can);
  keepForLater(carried.held, event, context);
  const said = event.name === "pre-tool" ? named(carried.verdict, key) : carried.verdict;
  const reply = call.agent.reply(said, event);
  try {
    const entry = entryOf(event, carried.verdict, root, process.uptime() * 1000, { decided, key });
    writeEntry(holdfastHome(call.env, call.home), entry);
  } catch (error) {
    const cause = causeOf(error);
    const found = problem("HF805", "the journal could not be written", { severity: "warning", cause });
    const origin = { project: root, event: event.name };
    // The disk that did not take the entry rarely takes the record of that: then this is the only sign.
    if (!recordProblem(found, call.env, call.home, origin))
      return {
        ...reply,
        stderr: `${reply.stderr}holdfast: ${found.message} (${cause}). See: holdfast doctor\n`,
      };
  }
  return reply;
}

/** Says which rules stop a call, and how the person can let it through. */
function named(carried: Verdict, key: string | null): Verdict {
  if (carried.decision === "allow" || carried.by.length === 0) return carried;
  const rules = carried.by.slice(0, mostNamed).join(", ");
  const id = key === null ? null : shortId(key);
  if (carried.decision === "ask")
    return { ...carried, reason: `${carried.reason} (${rules}${id === null ? "" : `, #${id}`})` };
  const way =
    id === null
      ? ""
      : ` To allow exactly this call once, the person types in a terminal of their own: holdfast allow ${id}`;
  return { ...carried, reason: `${carried.reason}\nRule: ${rules}.${way}` };
}

const mostNamed = 3;

/** Before a tool runs, what is snoozed is asked only once the guard would stop it. */
function settingsFor(event: Event, loaded: Settings, root: string | null, call: HookCall): Settings {
  const settings = insideOurChild(call.env) ? withoutTests(loaded) : loaded;
  if (event.name !== "turn-end" && event.name !== "pre-commit") return settings;
  const permits = openPermits(holdfastHome(call.env, call.home), root, () => Date.now());
  return withoutSnoozed(settings, permits.snoozed());
}

async function payloadOf({
  agent,
}: HookCall): Promise<{ documents: readonly unknown[]; problem: Problem | null }> {
  return agent.payload === "none" ? { documents: [{}], problem: null } : readPayload(readStdin());
}

/** The YAML compiler is a file of its own, loaded only when the manifest changed. */
async function loadCompiler() {
  return (await import("../manifest/load.ts")).loadManifest;
}

/** Tests that themselves commit or start an agent must not start the tests again. */
function insideOurChild(env: Env): boolean {
  return env[childMark] !== undefined;
}

function withoutTests(settings: Settings): Settings {
  return { ...settings, tests: { ...settings.tests, command: "" } };
}

/** The directory may be gone by the time the hook runs. */
function workingDirectory(env: Env): string {
  try {
    return process.cwd();
  } catch {
    return env.PWD ?? "/";
  }
}

function failed(error: unknown, env: Env): Reply {
  const cause = causeOf(error);
  const [, , , id = "", event = null] = process.argv;
  const found = problem("HF806", "a hook failed, so its call was allowed unchecked", {
    cause: error instanceof Error ? (error.stack ?? cause) : cause,
    hint: "holdfast doctor",
    where: isAgent(id) ? { agent: id } : {},
  });
  recordProblem(found, env, homeOf(env), { project: projectHere(env), event });
  return warned(`holdfast: ${found.message} (${cause.split("\n")[0]}). See: holdfast doctor\n`);
}

/** Null also where looking for it is what failed. */
function projectHere(env: Env): string | null {
  try {
    return findProject(workingDirectory(env), null, homeOf(env))?.root ?? null;
  } catch {
    return null;
  }
}

function warningFor(found: Problem): string {
  return `holdfast: ${found.message}; the call was allowed unchecked. See: holdfast doctor\n`;
}

function warned(stderr: string): Reply {
  return { ...silent, stderr };
}

let finished = false;

function finish(reply: Reply): void {
  if (finished) return;
  finished = true;
  process.exitCode = reply.exitCode;
  writeAll(2, reply.stderr);
  writeAll(1, reply.stdout);
}
