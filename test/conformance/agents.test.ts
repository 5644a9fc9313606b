import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { agentIds } from "../../src/agents/ids.ts";
import { agents } from "../../src/agents/index.ts";
import type { Agent } from "../../src/core/agent.ts";
import { type Can, type Effect, type Want, wants } from "../../src/core/can.ts";
import { carry } from "../../src/core/carry.ts";
import type { Event, EventName } from "../../src/core/event.ts";
import { type Verdict, verdict } from "../../src/core/verdict.ts";
import type { Obey, Outcome } from "./outcome.ts";

const testRoot = join(dirname(fileURLToPath(import.meta.url)), "..");
const verdicts: Readonly<Record<string, Verdict>> = {
  allow: verdict({}),
  deny: verdict({ decision: "deny", reason: "No, because.", by: ["protect"] }),
  ask: verdict({ decision: "ask", reason: "Sure?", by: ["git/force-push"] }),
  continue: verdict({ decision: "continue", reason: "Two tests fail.", by: ["tests"] }),
  context: verdict({ context: ["first", "second"] }),
  message: verdict({ messages: ["Large change, please review."] }),
  rewrite: verdict({ rewrite: { command: "ls" } }),
  "deny with a message": verdict({ decision: "deny", reason: "No.", messages: ["And look."] }),
  'a reason with "quotes", \n lines and \u2028': verdict({ decision: "deny", reason: 'A "b"\n\u2028 c' }),
};
/** Which verdicts can come up at which event. */
const legal: Readonly<Record<string, readonly string[]>> = {
  "turn-end": ["allow", "continue", "message", "context"],
  "pre-commit": ["allow", "deny", "message", "deny with a message"],
  prompt: ["allow", "deny", "context"],
  "session-start": ["allow", "context"],
  "post-tool": ["allow", "context"],
};

// Every agent × event × verdict: the reply, read back by the agent's own rules, must do exactly what the
// `can` table promises, and never more.
describe.each(agentIds)("%s keeps its can table", async (id) => {
  const agent: Agent = agents[id];
  const { obey } = (await import(join(testRoot, "agents", id, "obey.ts"))) as { obey: Obey };
  const names = [...new Set(Object.values(agent.events))];

  it.each(
    names.flatMap((name) =>
      Object.keys(verdicts)
        .filter((key) =>
          name === "pre-tool" ? key !== "continue" : (legal[name] ?? ["allow"]).includes(key),
        )
        .map((key) => [name, key] as const),
    ),
  )("%s: %s", (name, key) => {
    const event = sample(agent, name);
    const given = verdicts[key] ?? verdict({});
    const carried = carry(given, event, agent.can);
    expect(obey(agent.reply(carried.verdict, event), event)).toEqual(promised(given, event, agent.can));
  });

  it("declares every cell with a version and a date", () => {
    expect(wants.filter((want) => !/, \d{4}-\d{2}-\d{2}$/.test(agent.can[want].seen))).toEqual([]);
  });

  it("claims to have run only what left recorded payloads", () => {
    const fixtures = join(testRoot, "agents", id, "fixtures");
    const recorded =
      existsSync(fixtures) && readdirSync(fixtures).some((name) => !name.startsWith("documented-"));
    const ran = wants.filter((want) => agent.can[want].known === "ran");
    expect(agent.payload === "none" || recorded || ran.length === 0).toBe(true);
  });

  it("has its recorded payloads", () => {
    expect(agent.payload === "none" || existsSync(join(testRoot, "agents", id, "fixtures"))).toBe(true);
  });
});

/** What the table promises for a verdict, without looking at `reply`. */
function promised(given: Verdict, event: Event, can: Can): Outcome {
  const effect = (want: string): Effect => can[want as Want]?.effect ?? "no";
  const shows = (want: string) => effect(want) === "yes" || effect(want) === "log";
  const cannotGoBack = given.decision === "continue" && effect("turn-end.continue") !== "yes";
  const messages = cannotGoBack ? [...given.messages, given.reason] : given.messages;
  const base = {
    effect: "goes-on" as Outcome["effect"],
    told: "",
    context: effect(`${event.name}.context`) === "yes" ? given.context.join("\n\n") : "",
    shown: shows(`${event.name}.message`) ? messages.join("\n") : "",
    rewrite: effect(`${event.name}.rewrite`) === "yes" ? given.rewrite : null,
  };
  if (given.decision === "continue" && effect("turn-end.continue") === "yes") {
    return { ...base, effect: "sent-back", told: given.reason };
  }
  if (given.decision === "ask") {
    const asks = effect(`${event.name}.ask`) === "yes";
    return {
      ...base,
      effect: asks ? "asks" : "blocked",
      told: asks ? given.reason : expect.stringContaining(given.reason),
    };
  }
  if (given.decision === "deny" && effect(`${event.name}.deny`) === "yes") {
    return event.name === "pre-commit"
      ? { ...base, effect: "blocked", shown: [given.reason, ...given.messages].join("\n") }
      : { ...base, effect: "blocked", told: given.reason };
  }
  return base;
}

function sample(agent: Agent, name: EventName): Event {
  const [native = name] = Object.entries(agent.events).find(([, canonical]) => canonical === name) ?? [];
  const base = { agent: agent.id, native, session: "s", cwd: "/p", projectHint: null, subagent: false };
  const tool = {
    kind: "shell",
    name: "Bash",
    input: { command: "x" },
    commands: ["x"],
    workdir: null,
  } as const;
  switch (name) {
    case "pre-tool":
    case "post-tool":
    case "tool-failed":
    case "permission":
      return { ...base, name, callId: "c", tool };
    case "turn-end":
      return { ...base, name, continued: false, backgroundTasks: 0, phase: "final" };
    case "prompt":
      return { ...base, name, prompt: "hi" };
    default:
      return { ...base, name };
  }
}
