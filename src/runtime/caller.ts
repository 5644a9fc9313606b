import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Borrows } from "../core/agent.ts";
import type { Event } from "../core/event.ts";
import { hashAll } from "../core/hash.ts";
import { dict } from "../core/read.ts";
import type { Env } from "./environment.ts";
import { makePrivateDir } from "./files.ts";

/**
 * Id of the agent that really calls: some run the hooks that were installed for another one. It understands only its
 * own answers, and an ask that means something to the other may let the tool run here.
 * @param named the agent the command line names
 */
export function callerOf<Id extends string>(
  named: Id,
  borrowers: Readonly<Partial<Record<Id, Borrows>>>,
  payload: unknown,
  env: Env,
): Id {
  const fields = dict(payload);
  for (const id in borrowers) {
    const borrows = borrowers[id];
    if (borrows?.from.includes(named) !== true) continue;
    if (borrows.env.some((name) => env[name]) || borrows.fields.some((name) => Object.hasOwn(fields, name)))
      return id;
  }
  return named;
}

/** Own hooks that were silent for this long, in milliseconds, may be gone. */
const heardMs = 3_600_000;

/**
 * True for an event that came by borrowed hooks to an agent whose own hooks have been heard in this session: those
 * answer it. The first event of a session may still be answered twice, the same both times.
 * @param own it came by the agent's own hook
 * @param dir where the run state of the project lies
 * @param now milliseconds since the epoch
 */
export function isAnsweredElsewhere(event: Event, own: boolean, dir: string, now: number): boolean {
  if (event.session === null) return false;
  const mark = join(dir, `session-${hashAll([event.agent, event.session, event.name])}.heard`);
  if (!own) return now - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0) < heardMs;
  remember(mark, dir, now);
  return false;
}

/** Without the mark both answer, which costs time and no more. */
function remember(mark: string, dir: string, now: number): void {
  try {
    utimesSync(mark, now / 1000, now / 1000);
    return;
  } catch {
    // Not there yet.
  }
  try {
    makePrivateDir(dir);
    writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
  } catch {
    // Another hook was quicker, or nothing can be written here.
  }
}
