import type { Can } from "./can.ts";
import type { Event, EventName } from "./event.ts";
import type { Verdict } from "./verdict.ts";

/** What the hook process gives back to the agent, byte for byte. */
export interface Reply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The part of an agent that lives on the hook path: data and pure functions, no I/O. */
export interface Agent {
  /** Public id; also the folder name and the first argument of `holdfast hook`. */
  readonly id: string;
  readonly title: string;
  /** The agent's own event names and the canonical ones they mean. */
  readonly events: Readonly<Record<string, EventName>>;
  readonly can: Can;
  /** Where the payload comes from. Git hooks get none, and must not read the person's terminal. */
  readonly payload: "stdin" | "none";
  /**
   * Reads the agent's payload. `event` is the canonical or native name given on the command line,
   * or null when only the payload knows. Returns null for an event Holdfast has nothing to say to.
   */
  parse(raw: unknown, call: Call): Event | null;
  /** Writes a verdict that the agent can carry out (see `carry`) in its own form. */
  reply(verdict: Verdict, event: Event): Reply;
}

/**
 * An agent also runs hooks that were installed for others, so that a call may arrive by two ways. In `borrows.ts` of
 * its folder, apart from the rest, as every call of the others asks for it.
 */
export interface Borrows {
  /** Ids of the agents whose hooks it runs. */
  readonly from: readonly string[];
  /** Variables that only its hook processes have: a shell that it started, and agents in there, have none. */
  readonly env: readonly string[];
  /** Fields that only its payloads have. */
  readonly fields: readonly string[];
}

/** What is known about a hook call besides its payload. */
export interface Call {
  readonly event: string | null;
  readonly argv: readonly string[];
  /** The few environment variables that agents pass facts in. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory of the hook process. */
  readonly cwd: string;
}

export const silent: Reply = { stdout: "", stderr: "", exitCode: 0 };

/**
 * A reply of one JSON object on one line of stdout, exit 0: the form every agent with JSON verdicts accepts.
 * The two Unicode line ends are escaped, so that no reader of lines breaks the object in two.
 */
export function json(value: Readonly<Record<string, unknown>>): Reply {
  const line = JSON.stringify(value).replace(/[\u2028\u2029]/g, (end) =>
    end === "\u2028" ? "\\u2028" : "\\u2029",
  );
  return { stdout: `${line}\n`, stderr: "", exitCode: 0 };
}
