import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { dict, isDict, list, text } from "../core/read.ts";
import { type Permits, type Snoozed, snoozable } from "../policies/context.ts";
import { makePrivateDir, readText, removeIfThere, writeAtomic } from "./files.ts";

/** Minutes an approval waits for its call. */
export const approvalMinutes = 15;

/** A person's word that one exact call may go through once. */
export interface Approval {
  /** From `callKey`. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** What a person switched off for a while. */
export interface Snooze {
  readonly what: Snoozed;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** The project it is for; null: everywhere. */
  readonly root: string | null;
  readonly reason: string;
}

/** What people permitted, kept in Holdfast's own folder and never in a repository. */
export function openPermits(holdfast: string, root: string | null, now: () => number): Permits {
  return {
    take: (key) => takeApproval(holdfast, key, now()),
    snoozed: () =>
      readSnoozes(holdfast, now())
        .filter((one) => one.root === null || one.root === root)
        .map(({ what }) => what),
  };
}

/** Keeps an approval; throws when the disk does not take it. Those that ran out are cleared away. */
export function writeApproval(holdfast: string, approval: Approval, now: number): void {
  const dir = approvals(holdfast);
  makePrivateDir(dir);
  for (const name of readdirSync(dir)) {
    const kept = readApproval(join(dir, name));
    if (kept === null || kept.until <= now) removeIfThere(join(dir, name));
  }
  const options = { mode: 0o600, replaceLink: true };
  writeAtomic(join(dir, `${approval.key}.json`), JSON.stringify(approval), options);
}

/** What is snoozed at this moment. A file that does not read as it should snoozes nothing. */
export function readSnoozes(holdfast: string, now: number): readonly Snooze[] {
  const raw = readText(snoozesFile(holdfast));
  if (raw === null) return [];
  return list(parsed(raw))
    .flatMap((value) => toSnooze(value) ?? [])
    .filter(({ until }) => until > now);
}

/** Replaces what is snoozed; throws when the disk does not take it. */
export function writeSnoozes(holdfast: string, snoozes: readonly Snooze[]): void {
  makePrivateDir(holdfast);
  writeAtomic(snoozesFile(holdfast), JSON.stringify(snoozes), { mode: 0o600, replaceLink: true });
}

/** Removing the file is what takes the approval: of two hooks at once only one succeeds. */
function takeApproval(holdfast: string, key: string, now: number): boolean {
  const file = join(approvals(holdfast), `${key}.json`);
  const approval = readApproval(file);
  if (approval === null) return false;
  try {
    unlinkSync(file);
  } catch {
    return false;
  }
  return approval.key === key && approval.until > now;
}

function readApproval(file: string): Approval | null {
  const raw = readText(file);
  const { key, until } = dict(raw === null ? null : parsed(raw));
  return typeof key === "string" && typeof until === "number" ? { key, until } : null;
}

function toSnooze(value: unknown): Snooze | null {
  if (!isDict(value)) return null;
  const what = snoozable.find((one) => one === value.what);
  if (what === undefined || typeof value.until !== "number") return null;
  return { what, until: value.until, root: text(value.root), reason: text(value.reason) ?? "" };
}

function approvals(holdfast: string): string {
  return join(holdfast, "approvals");
}

function snoozesFile(holdfast: string): string {
  return join(holdfast, "snoozes.json");
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}
