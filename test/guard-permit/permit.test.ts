import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEntries } from "../../src/journal/read.ts";
import { openPermits, writeApproval, writeSnoozes } from "../../src/runtime/permits.ts";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

const program = process.env.HOLDFAST_PROGRAM ?? join(process.cwd(), "dist/holdfast.cjs");
const person = { answers: { "Allow exactly this": true, "Switch ": true } };
let place: Place;

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

interface Call {
  readonly command?: string;
  readonly path?: string;
  readonly session?: string;
  readonly agent?: string;
}

/** One tool call as the agent's hook sees it, by the built program. */
function call({ command, path, session = "s1", agent = "codex" }: Call) {
  const input = {
    hook_event_name: "PreToolUse",
    session_id: session,
    cwd: place.project,
    tool_name: command === undefined ? "Write" : "Bash",
    tool_input: command === undefined ? { file_path: path, content: "" } : { command },
  };
  const ran = spawnSync(process.execPath, [program, "hook", agent, "pre-tool"], {
    cwd: place.project,
    env: { PATH: process.env.PATH, HOME: place.home },
    input: JSON.stringify(input),
    encoding: "utf8",
  });
  if (ran.stdout === "") return { decision: "allow", reason: "", id: "" };
  const { permissionDecision, permissionDecisionReason } = JSON.parse(ran.stdout).hookSpecificOutput;
  const id = /(?:holdfast allow |, #)(\w{5})/.exec(permissionDecisionReason)?.[1] ?? "";
  return { decision: permissionDecision as string, reason: permissionDecisionReason as string, id };
}

const journal = () => readEntries(join(place.home, ".holdfast")).entries;
const push = "git push --force origin main";

describe("a stopped call", () => {
  test("names itself, the same each time, and says the person's way", () => {
    const first = call({ command: push });
    const again = call({ command: push });
    const asked = call({ command: push, agent: "claude-code" });
    expect({
      decisions: [first.decision, again.decision, asked.decision],
      same: first.id === again.id,
      other: asked.id !== first.id,
      deny: first.reason.endsWith(
        `\nRule: git/force-push. To allow exactly this call once, the person types in a terminal of their own: holdfast allow ${first.id}`,
      ),
      ask: asked.reason.endsWith(` (git/force-push, #${asked.id})`),
      journal: journal().map(({ id }) => id),
    }).toEqual({
      decisions: ["deny", "deny", "ask"],
      same: true,
      other: true,
      deny: true,
      ask: true,
      journal: [first.id, first.id, asked.id],
    });
  });

  test("goes through once after the person allowed it, and nothing else does", async () => {
    const { id } = call({ command: push });
    const { code, stdout } = await holdfast(place, ["allow", `#${id.toUpperCase()}`], person);
    const decided = [
      call({ command: `${push} ` }),
      call({ command: push, session: "s2" }),
      call({ command: push, agent: "claude-code" }),
      call({ command: push }),
      call({ command: push }),
    ].map(({ decision }) => decision);
    const passed = journal().find(({ by }) => by.includes("allowed-once"));
    expect({ code, told: stdout.includes(push), decided, passed: passed?.id }).toEqual({
      code: 0,
      told: true,
      decided: ["deny", "deny", "ask", "allow", "deny"],
      passed: id,
    });
    expect(journal().find(({ event }) => event === "allow")).toMatchObject({
      agent: "person",
      summary: `#${id} ${push}`,
      by: ["git/force-push"],
    });
    expect(readdirSync(join(place.home, ".holdfast/approvals"))).toEqual([]);
    expect(existsSync(join(place.project, ".holdfast"))).toBe(false);
  });

  test("of a protected file is allowed by its path, whatever is written", async () => {
    const { id } = call({ path: ".env" });
    await holdfast(place, ["allow", id, "--yes"], person);
    expect(
      [call({ path: ".env.local" }), call({ path: ".env" }), call({ path: ".env" })].map((c) => c.decision),
    ).toEqual(["deny", "allow", "deny"]);
  });

  test("stays stopped when the person says no at the question, or names another id", async () => {
    const { id } = call({ command: push });
    const no = await holdfast(place, ["allow", id], { answers: { "Allow exactly this": false } });
    const other = await holdfast(place, ["allow", "zzzzz"], person);
    expect({
      codes: [no.code, other.code],
      hint: other.stderr.includes(`Last stopped: ${id}`),
      after: call({ command: push }).decision,
    }).toEqual({ codes: [130, 3], hint: true, after: "deny" });
  });
});

describe("only a person may allow and snooze", () => {
  const commands: readonly (readonly string[])[] = [
    ["allow", "aaaaa"],
    ["snooze", "all", "1h"],
  ];

  test.each(commands.map((argv) => [argv]))("%j needs a terminal", async (argv) => {
    const { code, stderr } = await holdfast(place, argv);
    expect([code, stderr.includes("its input is not a terminal")]).toEqual([3, true]);
  });

  test.each(["CLAUDECODE", "AI_AGENT", "CODEX_THREAD_ID", "OPENCODE", "GEMINI_CLI", "HOLDFAST_CHILD"])(
    "not where an agent set %s",
    async (name) => {
      for (const argv of commands) {
        const { code, stderr } = await holdfast(place, argv, { ...person, env: { [name]: "1" } });
        expect([code, stderr.includes(`${name} is set`)]).toEqual([3, true]);
      }
    },
  );

  test("uninstall is refused there as well, asked or not, and may show what it would do", async () => {
    const marked = { env: { CLAUDECODE: "1" } };
    for (const argv of [["uninstall"], ["uninstall", "--yes"], ["uninstall", "--yes", "--json"]]) {
      const { code, stdout, stderr } = await holdfast(place, argv, marked);
      expect([code, `${stdout}${stderr}`.includes("CLAUDECODE is set")]).toEqual([3, true]);
    }
    expect((await holdfast(place, ["uninstall", "--dry-run"], marked)).code).toBe(0);
    expect((await holdfast(place, ["uninstall", "--yes"], { env: { CI: "true" } })).code).toBe(0);
  });

  test.each([
    [["/usr/bin/claude"]],
    [["node", "/opt/node_modules/@openai/codex/bin/codex.js"]],
    [["-bash"], ["opencode", "run"]],
  ])("not below %j", async (...ancestors) => {
    const { code, stderr } = await holdfast(place, ["snooze", "all", "1h"], { ...person, ancestors });
    expect([code, stderr.includes("it was started from")]).toEqual([3, true]);
  });

  test.each([[["script", "-qc", "./z.sh", "/dev/null"]], [["/usr/bin/expect", "-f", "x"]]])(
    "not in a terminal that %j made",
    async (...ancestors) => {
      for (const argv of commands) {
        const { code, stderr } = await holdfast(place, argv, { ...person, ancestors });
        expect([code, stderr.includes("its terminal was made by")]).toEqual([3, true]);
      }
    },
  );

  test.each([
    ["snooze", "all", "1h"],
    ["snooze", "all", "1h", "--yes"],
  ])("not without a typed yes (%#)", async (...argv) => {
    const { code } = await holdfast(place, argv, { answers: {} });
    expect([code, (await envelopeOf(place, ["snooze"])).json.data]).toEqual([130, { snoozed: [] }]);
  });

  test("the settings of a person's own shell do not matter", async () => {
    const env = { CODEX_HOME: "/x", ANTHROPIC_API_KEY: "k", CLAUDE_CONFIG_DIR: "/y" };
    const ran = await holdfast(place, ["snooze", "tests", "1h"], {
      ...person,
      env,
      ancestors: [["zsh"], ["tmux"]],
    });
    expect(ran.code).toBe(0);
  });

  test("the real program sees what it was started from", () => {
    const shell = join(place.home, "claude");
    writeFileSync(shell, `#!/bin/sh\n"${process.execPath}" "${program}" snooze all 1h\nexit $?\n`, {
      mode: 0o755,
    });
    const env = { PATH: process.env.PATH, HOME: place.home };
    const { status, stderr } = spawnSync("/bin/sh", [shell], { cwd: place.project, env, encoding: "utf8" });
    // No terminal comes first; with one, the ancestor would be named.
    expect([status, /is for a person only/.test(stderr)]).toEqual([3, true]);
  });
});

describe("a snooze", () => {
  test.each([
    ["5d", "snooze takes a day at most", "At most: holdfast snooze commands 24h."],
    ["25h", "snooze takes a day at most", "At most: holdfast snooze commands 24h."],
    ["soon", "snooze wants a time", "For example: holdfast snooze commands 10m"],
  ])("of %s is answered with what is wrong about it", async (time, message, hint) => {
    const { code, stderr } = await holdfast(place, ["snooze", "commands", time], person);
    expect([code, stderr.includes(message), stderr.includes(hint)]).toEqual([64, true, true]);
  });

  test("switches one part off here, and the rest stays", async () => {
    const { code } = await holdfast(place, ["snooze", "commands", "10m", "--reason", "cleaning up"], person);
    const decided = [call({ command: push }), call({ path: ".env" }), call({ path: "holdfast.yaml" })];
    expect({
      code,
      decided: decided.map(({ decision }) => decision),
      entry: journal()[0],
    }).toEqual({
      code: 0,
      decided: ["allow", "deny", "deny"],
      entry: expect.objectContaining({
        agent: "person",
        event: "snooze",
        summary: "commands off for 10m: cleaning up",
      }),
    });
    expect(journal()[1]?.by).toEqual(["snoozed"]);
  });

  test("of protected files leaves Holdfast itself protected; of all leaves nothing", async () => {
    await holdfast(place, ["snooze", "protect", "10m"], person);
    const some = [call({ path: ".env" }), call({ path: "holdfast.yaml" }), call({ command: push })];
    await holdfast(place, ["snooze", "all", "10m"], person);
    const none = [call({ path: ".env" }), call({ path: "holdfast.yaml" }), call({ command: push })];
    expect([some, none].map((calls) => calls.map(({ decision }) => decision))).toEqual([
      ["allow", "deny", "deny"],
      ["allow", "allow", "allow"],
    ]);
  });

  test("comes back by itself, or when the person says so", async () => {
    const home = join(place.home, ".holdfast");
    writeSnoozes(home, [{ what: "all", until: Date.now() - 1, root: null, reason: "" }]);
    const over = call({ path: ".env" }).decision;
    await holdfast(place, ["snooze", "all", "1h", "--everywhere"], person);
    const during = call({ path: ".env" }).decision;
    const listed = await envelopeOf(place, ["snooze"]);
    await holdfast(place, ["snooze", "all", "off", "--everywhere"], person);
    expect({
      over,
      during,
      after: call({ path: ".env" }).decision,
      listed: listed.stdout.includes('"what":"all"'),
    }).toEqual({ over: "deny", during: "allow", after: "deny", listed: true });
  });

  test.each([
    [["snooze", "protct", "1h"], 64, 'did you mean "protect"?'],
    [["snooze", "protect"], 64, "snooze wants a time"],
    [["snooze", "protect", "2 days"], 64, "snooze wants a time"],
    [["snooze", "protect", "48h"], 64, "a day at most"],
    [["allow"], 64, "allow wants the id"],
  ])("%j is a mistake that is named", async (argv, wanted, words) => {
    const { code, stderr } = await holdfast(place, argv, person);
    expect([code, stderr.includes(words)]).toEqual([wanted, true]);
  });
});

describe("what is kept", () => {
  test("an approval that ran out, is damaged, or stands for another call lets nothing through", () => {
    const home = join(place.home, ".holdfast");
    const permits = openPermits(home, null, () => 1000);
    writeApproval(home, { key: "late", until: 1000 }, 0);
    writeApproval(home, { key: "good", until: 1001 }, 0);
    writeFileSync(join(home, "approvals/torn.json"), "{");
    writeFileSync(join(home, "approvals/moved.json"), readFileSync(join(home, "approvals/good.json")));
    const taken = ["late", "torn", "moved", "none", "good", "good"].map(permits.take);
    writeFileSync(join(home, "snoozes.json"), "[{");
    expect({ taken, snoozed: permits.snoozed() }).toEqual({
      taken: [false, false, false, false, true, false],
      snoozed: [],
    });
  });
});
