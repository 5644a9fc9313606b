import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setups } from "../../src/cli/situation.ts";
import { harmIn } from "../../src/doctor/harm.ts";
import { standingOf } from "../../src/doctor/standing.ts";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

const env = { PATH: "/usr/bin:/bin" };
const none = () => false;
const matched = (ours: string, theirs: unknown) => harmIn({ matcher: ours }, { matcher: theirs }, none);

describe("a matcher that was changed", () => {
  const ours = "^(Bash|Write|mcp__.*(write|run).*)$";

  test.each([
    "*",
    ".*",
    "",
    undefined,
    "Bash|Write|Read|mcp__.*",
    "^(Write|Bash|NotebookEdit|mcp__.*(write|run).*)$",
    "^(Bash|W.*|mcp__.*)$",
  ])("%j covers what ours covered", (theirs) => {
    expect(matched(ours, theirs)).toBeNull();
  });

  test.each([
    ["Bash", "Write"],
    ["^(Bash|Read|mcp__.*)$", "Write"],
    ["Bash|Write", "tools such as mcp__xwritex"],
    ["Bashful|Write|mcp__.*", "Bash"],
    ["(", "Bash"],
    [7, "any tool"],
  ])("%j leaves out %s", (theirs, missed) => {
    expect(matched(ours, theirs)).toBe(`its matcher no longer covers ${missed}`);
  });

  test("one of its own where ours had none leaves something out", () => {
    expect(harmIn({}, { matcher: "Bash" }, none)).toBe("its matcher no longer covers every tool");
    expect(matched("*", "Bash")).toBe("its matcher no longer covers every tool");
  });
});

describe("what else does harm", () => {
  const handler = { type: "command", command: "ours", timeout: 30 };
  const group = { matcher: "*", hooks: [handler] };
  const isOurs = (entry: unknown) => JSON.stringify(entry).includes("ours");
  const changed = (change: object) =>
    harmIn(
      group,
      {
        matcher: "*",
        hooks: [
          { type: "prompt", command: "theirs" },
          { ...handler, ...change },
        ],
      },
      isOurs,
    );

  test.each([
    [{ type: "prompt" }, 'its type is no longer "command"'],
    [{ timeout: 1 }, "its timeout is shorter than ours, 30"],
    [{ async: true }, "it runs beside the call, which nothing then holds up"],
    [{ enabled: false }, "it is switched off"],
    [{ if: "Bash(git *)" }, "it runs only if a condition is met"],
    [{ timeout: 60 }, null],
    [{ statusMessage: "checking" }, null],
  ])("%j: %s", (change, harm) => {
    expect(changed(change)).toBe(harm);
  });
});

describe("in an installed project", () => {
  let place: Place;
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => place.remove());
  const file = () => join(place.project, ".claude", "settings.json");

  async function told(command: "doctor" | "status") {
    const { code, json } = await envelopeOf(place, [command], { env });
    const found = json.findings as { code: string; severity: string; message: string }[];
    return { code, found: found.filter((one) => one.code === "HF102") };
  }

  test("HF102 an entry whose matcher was narrowed is an error, and status says so", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
    writeFileSync(file(), readFileSync(file(), "utf8").replace("^(Bash|", "^(NoTool|"));
    const message =
      "our entry was changed by hand and no longer guards what it should: its matcher no longer covers Bash";
    expect(await told("doctor")).toMatchObject({ code: 1, found: [{ severity: "error", message }] });
    expect((await told("status")).code).toBe(1);
    const { stdout } = await holdfast(place, ["status"], { env });
    expect(stdout).toMatch(/✕ +Claude Code +project +in trouble: HF102/);
  });

  test("what every agent is given does no harm to itself", async () => {
    const machine = {
      home: place.home,
      root: place.project,
      env: {},
      platform: "linux",
      gitHooks: { dir: join(place.project, ".git", "hooks"), insideTree: false },
    };
    const values = setups.flatMap((setup) =>
      setup.scopes
        .flatMap((scope) => standingOf(setup, scope, machine))
        .flatMap(({ plan }) =>
          "value" in plan && typeof plan.value === "object"
            ? [{ value: plan.value, ours: plan.kind === "json-key" ? [] : plan.ours }]
            : [],
        ),
    );
    const harms = values.map(({ value, ours }) =>
      harmIn(value, structuredClone(value), (entry) =>
        ours.some((one) => JSON.stringify(entry).includes(JSON.stringify(one))),
      ),
    );
    expect(values.length).toBeGreaterThan(30);
    expect(harms.filter((harm) => harm !== null)).toEqual([]);
  });
});
