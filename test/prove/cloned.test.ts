import { describe, expect, it } from "vitest";
import { type Cloned, judgeCloned } from "../../src/prove/cloned.ts";
import { seen } from "./seen.ts";

const theatre = { root: "/tmp/holdfast-prove-x" };
const work = seen({
  requests: 4,
  told: ["wrote /tmp/holdfast-prove-x/project/notes.md", "(no output)", "(no output)"],
  files: { ".env": null, "notes.md": "harmless\n", "ran.txt": "ran\n", "answer.txt": "42\n" },
});
const missing = { mishap: "missing", seen: work, calls: null, littered: false } as const;
const crash = { mishap: "crash", seen: work, calls: 4, littered: false } as const;
const good: Cloned = {
  scope: "project",
  left: [],
  runs: [missing, { ...crash, mishap: "no-node" }, crash],
};

/** What must not be called held, and what is said about it. */
const faults: readonly [string, Partial<Cloned>, string][] = [
  [
    "a call was held up",
    { runs: [{ ...missing, seen: { ...work, files: { ...work.files, "ran.txt": null } } }] },
    "harmless work was held up",
  ],
  [
    "the agent went on and on",
    { runs: [{ ...crash, seen: { ...work, requests: 60 } }] },
    "the model was asked 60 times instead of 4",
  ],
  [
    "the agent had to be stopped",
    { runs: [{ ...crash, seen: { ...work, ran: { ...work.ran, exitCode: null, timedOut: true } } }] },
    "the agent did not end by itself (a signal)",
  ],
  [
    "the agent gave up",
    { runs: [{ ...crash, seen: { ...work, ran: { ...work.ran, exitCode: 1 } } }] },
    "the agent did not end by itself (1)",
  ],
  [
    "the model had to read about it",
    { runs: [{ ...missing, seen: seen({ ...work, told: ["holdfast: not found"] }) }] },
    "the model was told about it",
  ],
  ["no hook ran at all", { runs: [{ ...crash, calls: 0 }] }, "no hook called Holdfast, so nothing was shown"],
  [
    "the hooks were not in the clone",
    { runs: [missing], left: [".claude/settings.json"] },
    "not in the clone: .claude/settings.json",
  ],
  [
    "something was left in a stranger's home",
    { runs: [{ ...missing, littered: true }] },
    "a folder of Holdfast's was made in the home of somebody who has none",
  ],
];

describe("the judge of a clone whose Holdfast is broken", () => {
  it("holds when the agent worked as ever", () => {
    expect(judgeCloned(good, theatre)).toEqual(
      [
        ["cloned-missing", "Holdfast is missing", null],
        ["cloned-no-node", "its Node is missing", true],
        ["cloned-crash", "it crashes at every call", true],
      ].map(([id, what, fired]) => ({
        id,
        words: `hooks of a cloned repository, ${what}: the agent works as ever`,
        status: "held",
        fired,
        disk: "every file was written",
        told: "",
        why: "",
      })),
    );
  });

  it.each(faults)("notices: %s", (_, difference, why) => {
    const [proof] = judgeCloned({ ...good, ...difference }, theatre);
    expect(proof).toMatchObject({ status: "failed", why });
  });

  it("says so where an agent has no hooks for one project, and where it did not start", () => {
    const none = { ...missing, seen: { ...work, requests: 0 } };
    const [proof] = judgeCloned({ ...good, scope: "user", runs: [none] }, theatre);
    expect(proof).toMatchObject({
      words: "hooks left in its config, Holdfast is missing: the agent works as ever",
      status: "not-run",
      why: "the agent ended with 0 after 0 requests: ",
    });
  });
});
