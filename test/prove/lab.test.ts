import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { agentIds } from "../../src/agents/ids.ts";
import type { AgentReport } from "../../src/prove/report.ts";

/** The lab is plain JavaScript, as it starts without a build. */
interface Lab {
  readonly agents: Readonly<Record<string, unknown>>;
  pinned(): Readonly<Record<string, string>>;
  tableOf(reports: readonly Partial<AgentReport>[]): string;
  troublesOf(report: Partial<AgentReport>): string[];
  changedProofs(before: readonly unknown[], after: readonly unknown[]): string[];
}

const lab: Lab = Object.assign(
  {},
  ...(await Promise.all(["agents", "table", "update"].map((name) => load(name)))),
);

function load(name: string): Promise<Partial<Lab>> {
  return import(new URL(`../../lab/${name}.mjs`, import.meta.url).href);
}

const held = { status: "held", fired: true, disk: "", told: "", why: "" } as const;
const claude = {
  agent: "claude-code",
  title: "Claude Code",
  version: "2.1.332",
  why: "",
  ms: 61_400,
  proofs: [
    { id: "protected-write", words: "a write to .env is refused", ...held },
    { id: "tests-pass", words: "passing tests let it stop", ...held },
  ],
  payloads: { shapes: { version: "2.1.332", events: {} }, comparedWith: "2.1.332", failures: [], notes: [] },
};
const kimi = {
  ...claude,
  agent: "kimi",
  title: "Kimi Code",
  version: "2.1.0",
  ms: 20_000,
  proofs: [
    { id: "protected-write", words: "a write to migrations/0001.sql is refused", ...held },
    {
      id: "cloned-crash",
      words: "it crashes at every call",
      ...held,
      status: "failed" as const,
      disk: "every file was written",
      why: "the model was asked 60 times instead of 4",
    },
  ],
  payloads: {
    ...claude.payloads,
    failures: ["Stop: session_id is missing"],
    notes: ["Stop: turn_id is new: a string"],
  },
};

describe("the lab", () => {
  it("runs agents that there are, each at one version", () => {
    const ids = Object.keys(lab.agents);
    expect(ids.filter((id) => !agentIds.some((known) => known === id))).toEqual([]);
    expect(Object.entries(lab.pinned()).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual(
      [],
    );
    expect(new Set(ids.map((id) => id.slice(0, 3))).size).toBe(ids.length);
  });

  it("knows wrong usage before it installs or runs anything", () => {
    const script = fileURLToPath(new URL("../../lab/run.mjs", import.meta.url));
    const wrong = [["nobody"], ["--minutes", "soon"], ["--minutes", "0", "pi"]].map((args) => {
      const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
      return [status, stderr];
    });
    expect(wrong).toEqual([
      [3, "unknown agent: nobody\n"],
      [3, '--minutes takes a number, not "soon"\n'],
      [3, '--minutes takes a number, not "0"\n'],
    ]);
  });

  it("prints one table: proofs as rows, agents as narrow columns, and a legend", () => {
    expect(lab.tableOf([claude, kimi]).split("\n")).toEqual([
      "                                                     cla kim",
      "a write to .env is refused                           ✓   ✓",
      "passing tests let it stop                            ✓   –",
      "it crashes at every call                             –   ✕",
      "what it hands its hooks has the shape that is known  ✓   ✕",
      "",
      "cla  Claude Code 2.1.332, 61 s",
      "kim  Kimi Code 2.1.0, 20 s",
      "",
      "✓ held   ✕ differs from what is promised   ? could not be run   – does not apply   + only news",
    ]);
  });

  it("explains every cell that does not hold, and every change of a payload", () => {
    expect(lab.troublesOf(claude)).toEqual([]);
    expect(lab.troublesOf(kimi)).toEqual([
      "Kimi Code: it crashes at every call",
      "  the model was asked 60 times instead of 4",
      "  told: ",
      "  disk: every file was written",
      "Kimi Code: changed since 2.1.332: Stop: session_id is missing",
      "Kimi Code: news since 2.1.332: Stop: turn_id is new: a string",
    ]);
  });

  it("tells which proofs changed between two reports", () => {
    const proof = (id: string, result: string) => ({ id, words: `words of ${id}`, result });
    const report = (...proofs: readonly unknown[]) => [{ agent: "pi", title: "pi", proofs }];
    const before = report(proof("same", "held"), proof("worse", "held"), proof("gone", "held"));
    const after = report(proof("same", "held"), proof("worse", "failed"), proof("new", "held"));
    expect(lab.changedProofs(before, after)).toEqual([
      "pi: words of worse: was held, is failed",
      "pi: words of new: was not there, is held",
      "pi: words of gone: is no longer there",
    ]);
    expect(lab.changedProofs(after, after)).toEqual([]);
  });
});
