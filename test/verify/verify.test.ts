import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TurnEndEvent } from "../../src/core/event.ts";
import type { TestSettings } from "../../src/core/settings.ts";
import { allow } from "../../src/core/verdict.ts";
import { begin, verify } from "../../src/policies/verify/index.ts";
import { liveContext } from "../../src/runtime/context.ts";
import { tempDir } from "../git/repo.ts";
import { program } from "../runtime/program.ts";
import { type Desk, newDesk, settingsWith } from "./turn.ts";

type Asked = Partial<TurnEndEvent> & { readonly tests?: Partial<TestSettings> };

function ends(desk: Desk, { tests = {}, ...more }: Asked = {}) {
  const event = desk.turnEnd(more);
  return verify(event, settingsWith({ command: desk.command, ...tests }), desk.context(event));
}

async function begins(desk: Desk, session = "s1") {
  const event = desk.sessionStart(session);
  await begin(event, settingsWith({ command: desk.command }), desk.context(event));
}

/** A desk whose tests fail, with an output of 50 lines. */
function failing(): Desk {
  const desk = newDesk();
  desk.write("code", "1\n");
  desk.write("out", `${Array.from({ length: 50 }, (_, i) => `line ${i + 1}`).join("\n")}\n`);
  return desk;
}

const sentBack = (attempt: number, most = 2) => ({
  ...allow,
  decision: "continue",
  by: ["tests"],
  reason: expect.stringMatching(
    new RegExp(`\\(exit 1\\)[^]*sent back ${attempt} of ${most} times[^]*line 11\\n[^]*line 50$`),
  ),
});

const told = (words: string | RegExp) => ({
  ...allow,
  by: ["tests"],
  messages: [expect.stringMatching(words)],
});

describe("turn end", () => {
  it("runs nothing when nothing changed in the working tree", async () => {
    const desk = newDesk();
    expect([await ends(desk), desk.runs()]).toEqual([allow, 0]);
    await begins(desk, "s2");
    expect([await ends(desk, { session: "s2" }), desk.runs()]).toEqual([allow, 0]);
  });

  it("runs nothing when only the person's own changes were there before", async () => {
    const desk = failing();
    await begins(desk);
    expect([await ends(desk), desk.runs()]).toEqual([allow, 0]);
    desk.write("a.txt", "the agent's\n");
    expect([await ends(desk), desk.runs()]).toEqual([sentBack(1), 1]);
  });

  it("runs the tests once for a tree, and stays silent when they pass", async () => {
    const desk = newDesk();
    desk.write("a.txt", "new\n");
    expect([await ends(desk), await ends(desk), desk.runs()]).toEqual([allow, allow, 1]);
    expect([await ends(desk, { session: "other" }), desk.runs()]).toEqual([allow, 1]);
    desk.write("a.txt", "newer\n");
    expect([await ends(desk), desk.runs()]).toEqual([allow, 2]);
  });

  it("runs them again for another command, and always when told not to skip", async () => {
    const desk = newDesk();
    desk.write("a.txt", "new\n");
    await ends(desk);
    await ends(desk, { tests: { command: `true; ${desk.command}` } });
    await ends(desk, { tests: { command: `true; ${desk.command}`, skipWhenUnchanged: false } });
    expect(desk.runs()).toBe(3);
  });

  it("takes the files the tests themselves leave behind as tested", async () => {
    const desk = newDesk();
    desk.write("a.txt", "new\n");
    const tests = { command: `date +%N > report.txt; ${desk.command}` };
    expect([await ends(desk, { tests }), await ends(desk, { tests }), desk.runs()]).toEqual([
      allow,
      allow,
      1,
    ]);
  });

  it("tests what the agent committed", async () => {
    const desk = newDesk();
    await begins(desk);
    desk.commit({ code: "1\n", out: "line 11\nline 50\n" });
    expect(await ends(desk)).toEqual(sentBack(1));
  });

  it("is silent without a test command, outside a project, in a subagent, and while work goes on", async () => {
    const desk = failing();
    expect([
      await ends(desk, { tests: { command: "" } }),
      await ends(desk, { tests: { command: null } }),
      await ends(desk, { subagent: true }),
      await ends(desk, { backgroundTasks: 1 }),
    ]).toEqual([allow, allow, allow, allow]);
    const event = desk.turnEnd();
    const nowhere = liveContext(event, null, desk.root, desk.env, desk.home);
    expect([await verify(event, settingsWith({ command: "false" }), nowhere), desk.runs()]).toEqual([
      allow,
      0,
    ]);
  });
});

describe("new failures", () => {
  it("send the agent back until the budget is spent, then ask, and then the budget is new", async () => {
    const desk = failing();
    const asked = told(
      /tests fail: .*\(exit 1\)\. The agent was sent back twice and could not fix it\. Please look\./,
    );
    expect([
      await ends(desk),
      await ends(desk, { continued: true }),
      await ends(desk, { continued: true }),
    ]).toEqual([sentBack(1), sentBack(2), asked]);
    expect([await ends(desk), desk.runs()]).toEqual([sentBack(1), 4]);
  });

  it("are tests that a signal ended, the whole run or a child of it", async () => {
    const desk = failing();
    const answers = [
      await ends(desk, { tests: { command: "kill -KILL $$" } }),
      await ends(desk, { tests: { command: "sh -c 'kill -KILL $$'; exit $?" } }),
    ];
    expect(answers).toEqual([
      {
        ...allow,
        decision: "continue",
        by: ["tests"],
        reason: expect.stringContaining("(ended by SIGKILL)"),
      },
      {
        ...allow,
        decision: "continue",
        by: ["tests"],
        reason: expect.stringContaining("(exit 137, SIGKILL)"),
      },
    ]);
  });

  it("get a new budget by a pass, also by one of another session", async () => {
    const desk = failing();
    expect([await ends(desk), await ends(desk)]).toEqual([sentBack(1), sentBack(2)]);
    desk.write("code", "0\n");
    expect(await ends(desk, { session: "other" })).toEqual(allow);
    expect(await ends(desk)).toEqual(allow);
    desk.write("code", "1\n");
    expect(await ends(desk)).toEqual(sentBack(1));
  });

  it("are counted for each session by itself", async () => {
    const desk = failing();
    const two = { session: "s2", agent: "other-agent" };
    expect(await ends(desk, { tests: { maxRetries: 1 } })).toEqual(sentBack(1, 1));
    desk.write("out", "new failure: line 11\nline 50\n");
    expect(await ends(desk, { ...two, tests: { maxRetries: 1 } })).toEqual(sentBack(1, 1));
    expect(await ends(desk, { ...two, tests: { maxRetries: 1 } })).toEqual(told(/sent back once/));
  });

  it("decided before the turn is over are counted only when the agent is really sent back", async () => {
    const desk = failing();
    const tentative = () => ends(desk, { phase: "tentative" });
    expect([await tentative(), await tentative()]).toEqual([sentBack(1), sentBack(1)]);
    expect([await ends(desk, { phase: "settled" }), desk.runs()]).toEqual([allow, 2]);
    expect(await tentative()).toEqual(sentBack(2));
    for (let i = 0; i < 3; i++) await ends(desk, { phase: "settled" });
    expect([await tentative(), await tentative()]).toEqual(
      Array(2).fill(told(/sent back twice.* Please look\./)),
    );
  });

  it("never send back more often than allowed", async () => {
    const desk = failing();
    expect(await ends(desk, { tests: { maxRetries: 0 } })).toEqual(told(/Please look\./));
  });

  it("ask at once, or only tell, when so configured", async () => {
    const desk = failing();
    expect([
      await ends(desk, { tests: { onFailure: "ask" } }),
      await ends(desk, { tests: { onFailure: "notify" } }),
    ]).toEqual([
      told(/tests fail: .*Please look\.\n.*\n.*line 50$/s),
      told(/tests fail: .*\(exit 1\)\.\n.*line 50$/s),
    ]);
  });

  it("do not send back for ever when the count cannot be kept, or was lost", async () => {
    const desk = failing();
    rmSync(join(desk.home, ".holdfast"), { recursive: true, force: true });
    writeFileSync(join(desk.home, ".holdfast"), "in the way");
    expect([await ends(desk), await ends(desk, { phase: "tentative" })]).toEqual(
      Array(2).fill(told(/Please look\./)),
    );
    const lost = failing();
    expect(await ends(lost, { continued: true, tests: { maxRetries: 1 } })).toEqual(told(/Please look\./));
  });

  it("survive a damaged state file, which is reported", async () => {
    const desk = failing();
    await ends(desk);
    const projects = join(desk.home, ".holdfast/projects");
    const dir = join(projects, readdirSync(projects)[0] ?? "");
    for (const name of readdirSync(dir)) writeFileSync(join(dir, name), '{"since":17,');
    expect([await ends(desk), desk.problems()]).toEqual([sentBack(1), ["HF804", "HF804"]]);
  });
});

describe("failures from before the session", () => {
  const before = told(
    /same failures were seen in a check before this session \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)/,
  );

  async function leftFailing(): Promise<Desk> {
    const desk = newDesk();
    desk.write("code", "1\n");
    desk.write("out", "FAILED tests/old.py::one (3 ms)\n1 failed in 0.31s\n");
    expect((await ends(desk, { session: "yesterday" })).decision).toBe("continue");
    return desk;
  }

  it("are told, and spend no retry", async () => {
    const desk = await leftFailing();
    await begins(desk);
    desk.write("a.txt", "the agent's\n");
    desk.write("out", "FAILED tests/old.py::one (91 ms)\n1 failed in 7.02s\n");
    expect([await ends(desk), await ends(desk), await ends(desk)]).toEqual([before, before, before]);
  });

  it("are known where the beginning of the session was not seen, too", async () => {
    const desk = await leftFailing();
    desk.write("a.txt", "the agent's\n");
    expect(await ends(desk)).toEqual(before);
  });

  it("do not cover a new failure beside them, another command or another exit", async () => {
    const desk = await leftFailing();
    await begins(desk);
    desk.write(
      "out",
      "FAILED tests/old.py::one (3 ms)\nFAILED tests/new.py::two (3 ms)\n2 failed in 0.31s\n",
    );
    expect((await ends(desk)).decision).toBe("continue");
    const other = await leftFailing();
    await begins(other);
    other.write("a.txt", "x");
    expect((await ends(other, { tests: { command: `true; ${other.command}` } })).decision).toBe("continue");
    other.write("code", "2\n");
    expect((await ends(other)).decision).toBe("continue");
  });

  it("are not claimed when the person had changed the tree meanwhile", async () => {
    const desk = await leftFailing();
    desk.write("a.txt", "the person's repair\n");
    await begins(desk);
    desk.write("a.txt", "the agent's\n");
    expect((await ends(desk)).decision).toBe("continue");
  });

  it("are not claimed after a check of the same session, nor after a pass", async () => {
    const desk = failing();
    expect((await ends(desk)).decision).toBe("continue");
    expect((await ends(desk)).decision).toBe("continue");
    const passed = newDesk();
    passed.write("a.txt", "x");
    await ends(passed, { session: "yesterday" });
    await begins(passed);
    passed.write("code", "1\n");
    expect((await ends(passed)).decision).toBe("continue");
  });
});

describe("other outcomes spend no retry", () => {
  const changed = () => {
    const desk = newDesk();
    desk.write("a.txt", "new\n");
    return desk;
  };

  it("tests that do not end are ended with all they started, and not started again on the same tree", async () => {
    const desk = changed();
    const tests = { command: "echo busy; sleep 300 & wait", timeoutMs: 300 };
    const first = told(
      /did not finish: .* was stopped after \d+ (ms|s)\. Whether they pass is not known\.\nbusy$/,
    );
    expect(await ends(desk, { tests })).toEqual(first);
    expect(await ends(desk, { tests })).toEqual(told(/not run again: nothing changed since/));
    desk.write("a.txt", "newer\n");
    expect(await ends(desk, { tests })).toEqual(first);
  });

  it.each([
    ["a missing program", "no-such-runner", "exit 127"],
    ["a file that may not be run", "./a.txt", "exit 126"],
    ["a missing script", "echo 'npm error Missing script: \"test\"'; exit 1", "exit 1"],
  ])("%s", async (_what, command, ended) => {
    const answer = await ends(changed(), { tests: { command } });
    expect(answer).toEqual(told(/could not be run: .*Whether they pass is not known\./));
    expect(answer.messages[0]).toContain(`(${ended})`);
  });

  it("no tests collected: said once a session", async () => {
    const desk = changed();
    const tests = { command: "echo '===== no tests ran in 0.01s ====='; exit 5" };
    expect(await ends(desk, { tests })).toEqual(told(/found no tests \(exit 5\), so nothing was tested/));
    desk.write("a.txt", "newer\n");
    expect(await ends(desk, { tests })).toEqual(allow);
  });

  it("a test script as npm init writes it", async () => {
    const desk = changed();
    desk.write("package.json", '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}');
    const answer = await ends(desk, { tests: { command: "npm test" } });
    expect(answer).toEqual(told(/found no tests \(exit 1\), so nothing was tested/));
  });

  it("a project that is no repository: its tests run at every turn end, which is said once", async () => {
    const desk = newDesk();
    rmSync(join(desk.root, ".git"), { recursive: true });
    expect(await ends(desk)).toEqual({
      ...allow,
      messages: [expect.stringMatching(/not a git repository.*run at every turn end/)],
    });
    expect([await ends(desk), desk.runs()]).toEqual([allow, 2]);
    desk.write("code", "1\n");
    expect((await ends(desk)).decision).toBe("continue");
  });

  it("a git that does not answer: allowed, told, recorded", async () => {
    const desk = failing();
    writeFileSync(join(desk.root, ".git/HEAD"), "garbage");
    expect(await ends(desk)).toEqual(told(/git did not answer \(.+\), so this turn was not checked/));
    expect([desk.runs(), desk.problems()]).toEqual([0, ["HF605"]]);
  });

  it("a test script that waits for changes: not started, said once", async () => {
    const desk = newDesk();
    desk.write("package.json", JSON.stringify({ scripts: { test: "nodemon test.js" } }));
    const tests = { command: null };
    expect([await ends(desk, { tests }), await ends(desk, { tests })]).toEqual([
      told(/does not end by itself \(`nodemon`\); set tests\.command/),
      allow,
    ]);
  });
});

describe("the tests' surroundings", () => {
  it("have no variables of git or the agent, a mark of ours, and no watch mode", async () => {
    const desk = newDesk();
    desk.write("a.txt", "x");
    const event = desk.turnEnd();
    const env = {
      ...desk.env,
      GIT_DIR: "/elsewhere",
      GIT_INDEX_FILE: "/x",
      CLAUDECODE: "1",
      CODEX_SANDBOX: "x",
    };
    const context = liveContext(event, desk.root, desk.root, env, desk.home);
    const command =
      "env | grep -E '^(GIT_DIR|GIT_INDEX_FILE|CLAUDECODE|CODEX_|CI|HOLDFAST_CHILD)' | sort; exit 1";
    expect((await verify(event, settingsWith({ command }), context)).reason).toMatch(
      /output:\nCI=true\nHOLDFAST_CHILD=1$/,
    );
  });

  it("are the project root, or the package whose tests were found", async () => {
    const desk = newDesk();
    mkdirSync(join(desk.root, "packages/one"), { recursive: true });
    desk.write("packages/one/Makefile", "test:\n\t@pwd; exit 1\n");
    const cwd = join(desk.root, "packages/one");
    const event = desk.turnEnd({ cwd });
    const context = liveContext(event, desk.root, cwd, desk.env, desk.home);
    expect((await verify(event, settingsWith({ command: null }), context)).reason).toContain(`\n${cwd}\n`);
    expect((await ends(desk, { tests: { command: "pwd; exit 1" } })).reason).toContain(`\n${desk.root}`);
  });
});

describe("turn ends at the same time", () => {
  /** Several hook processes; the tests of the first end only after all have begun. */
  async function together(desk: Desk, sessions: readonly string[]): Promise<string[]> {
    const script = await program(
      tempDir(),
      `import { writeSync } from "node:fs";
       import { verify } from "@/policies/verify/index.ts";
       import { liveContext } from "@/runtime/context.ts";
       const [event, settings] = JSON.parse(process.argv[2]);
       const context = liveContext(event, event.cwd, event.cwd, process.env, process.env.HOME);
       writeSync(1, "begun ");
       console.log((await verify(event, settings, context)).decision);`,
    );
    const go = join(desk.home, "go");
    const settings = settingsWith({ command: `until [ -e '${go}' ]; do sleep 0.05; done; ${desk.command}` });
    const hooks = sessions.map((session) => {
      const input = JSON.stringify([desk.turnEnd({ session }), settings]);
      const child = spawn(process.execPath, [script, input], {
        env: desk.env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      let out = "";
      const begun = new Promise((done) => child.stdout.once("data", done));
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      return { begun, answer: new Promise<string>((done) => child.once("close", () => done(out.trim()))) };
    });
    await Promise.all(hooks.map(({ begun }) => begun));
    writeFileSync(go, "");
    return Promise.all(hooks.map(({ answer }) => answer));
  }

  it("run the tests once and share a pass", async () => {
    const desk = newDesk();
    desk.write("a.txt", "x");
    expect([await together(desk, ["s1", "s2", "s3"]), desk.runs()]).toEqual([
      Array(3).fill("begun allow"),
      1,
    ]);
  });

  it("share a failure, and one event that is delivered twice spends one retry", async () => {
    const desk = failing();
    expect([await together(desk, ["s1", "s1"]), desk.runs()]).toEqual([Array(2).fill("begun continue"), 1]);
    expect(desk.context(desk.turnEnd()).state.session("some-agent", "s1").retries).toBe(1);
  });
});
