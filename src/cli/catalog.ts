import type { Command } from "./command.ts";

/** A command as the overview lists it; its code is loaded only when it is run. */
export interface Listed {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Every command, in the order a person meets them. */
export const commands: Readonly<Record<string, Listed>> = {
  status: {
    summary: "what is installed, what is live, and what to do next (also plain `holdfast`)",
    load: () => import("./commands/status.ts"),
  },
  install: {
    summary: "put the guard into your agents; shows every change before it is made",
    load: () => import("./commands/install.ts"),
  },
  uninstall: {
    summary: "take out exactly what was put in",
    load: () => import("./commands/uninstall.ts"),
  },
  demo: {
    summary: "one minute, no agent needed: see what the guard does",
    load: () => import("./commands/demo.ts"),
  },
  prove: {
    summary: "run your own agents against a scripted model and watch each hook hold",
    load: () => import("./commands/prove.ts"),
  },
  doctor: {
    summary: "find what is wrong, fix what is safe",
    load: () => import("./commands/doctor.ts"),
  },
  coverage: {
    summary: "what each rule comes to in each agent, and how that is known",
    load: () => import("./commands/coverage.ts"),
  },
  explain: {
    summary: "why a command or a path would be stopped, and in which agent",
    load: () => import("./commands/explain.ts"),
  },
  why: {
    summary: "the newest call that was stopped, explained",
    load: () => import("./commands/why.ts"),
  },
  simulate: {
    summary: "send one event through the guard and see each agent's answer",
    load: () => import("./commands/simulate.ts"),
  },
  test: {
    summary: "run the expectation files under holdfast/tests",
    load: () => import("./commands/test.ts"),
  },
  replay: {
    summary: "past calls through today's rules; prints only what would be decided otherwise",
    load: () => import("./commands/replay.ts"),
  },
  allow: {
    summary: "let one call that was stopped go through, once",
    load: () => import("./commands/allow.ts"),
  },
  snooze: {
    summary: "switch a part of the guard off for a while; it comes back by itself",
    load: () => import("./commands/snooze.ts"),
  },
  import: {
    summary: "turn a .reflex.toml into holdfast.yaml",
    load: () => import("./commands/import.ts"),
  },
  restore: {
    summary: "list the backups, or put one back",
    load: () => import("./commands/restore.ts"),
  },
  schema: {
    summary: "print the JSON Schema of holdfast.yaml for your editor",
    load: () => import("./commands/schema.ts"),
  },
};
