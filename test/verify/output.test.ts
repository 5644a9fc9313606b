import { describe, expect, it } from "vitest";
import type { Run } from "../../src/policies/context.ts";
import { classify } from "../../src/policies/verify/classify.ts";
import { areAmong, endedOf, failuresOf } from "../../src/policies/verify/failures.ts";
import { tailOf } from "../../src/policies/verify/tail.ts";

const run = (code: number | null, output: string, more: Partial<Run> = {}): Run => ({
  end: "exited",
  code,
  signal: null,
  output,
  omitted: 0,
  ms: 1500,
  ...more,
});

describe("how a run came out", () => {
  it.each([
    ["passed", 0, "3 passing"],
    ["passed", 0, ""],
    ["failed", 1, ""],
    ["failed", 101, "test result: FAILED. 1 passed; 1 failed"],
    ["could-not-run", 127, "sh: 1: vitest: not found"],
    ["could-not-run", 126, "sh: 1: ./run: Permission denied"],
    ["failed", 137, "Killed"],
    ["failed", 143, "Terminated"],
    ["failed", 139, "Segmentation fault"],
    [
      "could-not-run",
      1,
      'npm error Missing script: "test"\nnpm error\nnpm error To see a list of scripts, run:',
    ],
    ["could-not-run", 254, "npm error code ENOENT\nnpm error enoent Could not read package.json"],
    [
      "could-not-run",
      1,
      "> a@1.0.0 test\n> vitest run\n\nsh: 1: vitest: not found\n ELIFECYCLE  Test failed.",
    ],
    ["could-not-run", 1, " ERR_PNPM_NO_SCRIPT  Missing script: test"],
    ["could-not-run", 1, 'error Command "test" not found.'],
    ["could-not-run", 1, "/usr/bin/python3: No module named pytest"],
    [
      "could-not-run",
      2,
      "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)",
    ],
    ["could-not-run", 1, "Command not found: pytest"],
    ["could-not-run", 2, "make: *** No rule to make target 'test'.  Stop."],
    ["could-not-run", 101, "error: could not find `Cargo.toml` in `/x` or any parent directory"],
    ["could-not-run", 1, "go: cannot find main module, but found .git/config in /x"],
    ["no-tests", 5, "============ no tests ran in 0.01s ============"],
    ["no-tests", 1, "\nNo test files found, exiting with code 1\n\ninclude: **/*.test.ts"],
    ["no-tests", 1, "No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0"],
    ["no-tests", 1, 'Error: No test files found: "./test/*.spec.js"'],
    ["no-tests", 1, "error: No test modules found"],
    ["no-tests", 5, "Ran 0 tests in 0.000s\n\nNO TESTS RAN"],
    ["no-tests", 1, '\n> test\n> echo "Error: no test specified" && exit 1\n\nError: no test specified'],
    [
      "no-tests",
      1,
      "yarn run v1.22.22\n$ echo x\nError: no test specified\nerror Command failed with exit code 1.",
    ],
    [
      "failed",
      1,
      "> a@1.0.0 test\n> node a.js\n\nAssertionError: 1 == 2\n\n> b@1.0.0 test\n\nError: no test specified",
    ],
    ["no-tests", 0, "?   \texample.com/a\t[no test files]\n?   \texample.com/b\t[no test files]"],
    ["passed", 0, "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.002s"],
    ["no-tests", 0, "running 0 tests\n\ntest result: ok. 0 passed; 0 failed"],
    ["passed", 0, "running 2 tests\n..\n\nrunning 0 tests\n"],
    ["no-tests", 0, "# tests 0\n# suites 0\n# pass 0"],
    ["passed", 0, "# tests 4\n# pass 4"],
    ["no-tests", 0, "> Task :test NO-SOURCE\nBUILD SUCCESSFUL"],
    ["passed", 0, "> Task :a:test NO-SOURCE\n> Task :b:test\nBUILD SUCCESSFUL"],
    ["no-tests", 0, "[INFO] No tests to run.\n[INFO] BUILD SUCCESS"],
    ["no-tests", 0, "No examples found.\n\n0 examples, 0 failures"],
  ] as const)("%s: exit %i, %j", (shown, code, output) => {
    expect(classify(run(code, output))).toBe(shown);
  });

  it.each([
    [
      "a test that prints such words",
      1,
      "FAIL a.test.ts\n  expected 'npm error Missing script' to be ''\n1 failed",
    ],
    ["a failure after a shell complaint", 1, `sh: 1: jq: not found\n${"ok\n".repeat(20)}1 failed`],
    ["exit 5 without pytest's words", 5, "5 tests failed"],
    ["a test about a missing user", 1, "Error: ada: not found"],
  ])("%s is a failure", (_what, code, output) => {
    expect(classify(run(code, output))).toBe("failed");
  });

  it("is told by the end of the process before anything else", () => {
    expect([
      classify(run(null, "1 failed", { end: "timeout" })),
      classify(run(null, "ENOENT", { end: "could-not-start" })),
      classify(run(null, "", { end: "signal", signal: "SIGTERM" })),
      classify(run(null, "", { end: "signal", signal: "SIGSEGV" })),
    ]).toEqual(["timed-out", "could-not-run", "failed", "failed"]);
  });
});

describe("what failed", () => {
  it("is the same when only times, ports, addresses and temp paths differ", () => {
    const of = (ms: string, port: number, hex: string, temp: string) =>
      failuresOf(
        run(
          1,
          `\u001b[31m✗ adds numbers (${ms})\u001b[0m\nok\nError: connect :${port} 0x${hex}\n at /tmp/${temp}/a\nnot ok 3 - x # ${ms}\n1 failed, ${port} passed in ${ms}\n`,
        ),
      );
    const one = of("3 ms", 4001, "7ffe01", "ab1");
    expect(one).toEqual([
      "✗ adds numbers (#)",
      "Error: connect :# #",
      "not ok # - x # #",
      "# failed, # passed in #",
    ]);
    expect(of("1.25s", 50_123, "55aa02", "zz9")).toEqual(one);
  });

  it("keeps numbers that belong to names", () => {
    expect(
      failuresOf(run(1, "FAILED test_2\nFAILED adds 2 and 3 (2 ms)\n--- FAIL: TestA/case#01 (0.00s)")),
    ).toEqual(["FAILED test_2", "FAILED adds 2 and 3 (#)", "--- FAIL: TestA/case#01 (#)"]);
  });

  it("is not a passing test that is about errors", () => {
    const output =
      "✓ reports errors\nok 2 - errors\ntest fails ... ok\na.py::test_error PASSED [ 50%]\nFAILED x";
    expect(failuresOf(run(1, output))).toEqual(["FAILED x"]);
  });

  it("is the last lines where none names a failure, and the exit where there are none", () => {
    expect(failuresOf(run(1, "a\n\nb\n"))).toEqual(["a", "b"]);
    expect(failuresOf(run(3, ""))).toEqual(["no output, exit 3"]);
  });

  it("cannot be said when output is missing, and is then among nothing", () => {
    const cut = failuresOf(run(1, "FAILED a", { omitted: 1 }));
    expect([
      cut,
      areAmong(cut, []),
      areAmong(["a"], ["a", "b"]),
      areAmong(["a", "c"], ["a", "b"]),
      areAmong(["a", "a"], ["a"]),
    ]).toEqual([[], false, true, false, false]);
  });
});

it("how it ended, in words", () => {
  expect([
    endedOf(run(2, "")),
    endedOf(run(null, "", { end: "timeout", ms: 540_000 })),
    endedOf(run(null, "", { end: "timeout", ms: 300 })),
    endedOf(run(null, "", { end: "signal", signal: "SIGKILL" })),
    endedOf(run(null, "", { end: "could-not-start" })),
    endedOf(run(137, "")),
  ]).toEqual([
    "exit 2",
    "stopped after 9 min",
    "stopped after 300 ms",
    "ended by SIGKILL",
    "could not start",
    "exit 137, SIGKILL",
  ]);
});

describe("the last lines", () => {
  it("are 40, and say how many came before", () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i + 1}`);
    expect(tailOf(lines.join("\n"))).toBe(`[… 60 lines before]\n${lines.slice(60).join("\n")}`);
    expect(tailOf(`${lines.slice(60).join("\n")}\n\n`)).toBe(lines.slice(60).join("\n"));
  });

  it("are plain text", () => {
    expect(
      tailOf(
        "\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007\r\n 1%\r 50%\r100% done\n\u0000bell\u0007",
      ),
    ).toBe("red link\n100% done\nbell");
  });

  it("are bounded in length", () => {
    const long = tailOf(`${"x".repeat(2000)}\n`.repeat(50));
    expect([long.length < 6_100, long.split("\n").at(-1)]).toEqual([true, `${"x".repeat(500)}…`]);
  });
});
