import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { type Answers, editManifest } from "../../src/manifest/edit.ts";
import { importReflex } from "../../src/manifest/import-reflex.ts";
import { loadManifest } from "../../src/manifest/load.ts";

const load = (text: string) => loadManifest(new TextEncoder().encode(text), "holdfast.yaml");
const edit = (text: string | null, answers: Answers) => editManifest(text, answers, "holdfast.yaml").text;

describe("a fresh manifest", () => {
  test("shows every key and means the defaults", () => {
    const text = edit(null, {});
    expect(load(text ?? "")).toEqual({ settings: defaultSettings, problems: [] });
    expect(text).toBe(`# yaml-language-server: $schema=./node_modules/holdfast/schema.json
# What Holdfast guards and checks. Every key may be left out; an edit counts from the next event on.
version: 1

# Files an agent may not write, move onto or delete.
protect:
  # no slash: any depth; with a slash: from the project root
  paths: [".env", ".env.*", "*.pem", "*.key", "secrets/**", ".github/workflows/**", "migrations/**"]
  except: []                         # for example ".env.example"
  reads: []                          # what may not be read, for example "*.pem"
  holdfast: true                     # its own files and switches, too

# Commands that can destroy work or skip checks.
commands:
  risky: ask                         # ask | deny | off
  packs: {}                          # one pack of rules: { database: off }
  override: {}                       # one rule: { git/force-push: deny }
  rules: []                          # your own rules, see docs/settings.md

# The check at the end of an agent's turn and before a commit.
tests:
  command:                           # leave empty to detect, "" for none
  on_failure: retry-then-ask         # retry-then-ask | ask | notify
  max_retries: 2                     # per session
  timeout: 9m                        # at most 9m
  skip_when_unchanged: true          # same tree, no new run

# A note when a change grows large.
review:
  max_diff_lines: 800                # added + removed

# The pre-commit hook.
git:
  run_tests: true                    # before each commit
`);
  });

  test("holds the answers", () => {
    const text = edit(null, {
      tests: { command: 'npm test -- "a b"', on_failure: "notify" },
      git: { run_tests: false },
    });
    expect(load(text ?? "").settings).toEqual({
      ...defaultSettings,
      tests: { ...defaultSettings.tests, command: 'npm test -- "a b"', onFailure: "notify" },
      git: { runTests: false },
    });
  });
});

describe("an existing manifest keeps every byte outside the changed value", () => {
  const command: Answers = { tests: { command: "make check" } };
  test.each<[string, string, Answers, string]>([
    [
      "a plain value",
      "# top\ntests:\n  command: npm test   # mine\n\n\n# end\n",
      command,
      "# top\ntests:\n  command: make check   # mine\n\n\n# end\n",
    ],
    [
      "a quoted value",
      "tests: \n    command: 'npm test' # mine\n",
      command,
      "tests: \n    command: make check # mine\n",
    ],
    [
      "no value yet",
      "tests:\n  command:  # find out\n  max_retries: 1\n",
      command,
      "tests:\n  command: make check  # find out\n  max_retries: 1\n",
    ],
    [
      "no key yet",
      "tests:\n    max_retries: 1 # once\n# after\ngit: {}\n",
      command,
      "tests:\n    max_retries: 1 # once\n    command: make check\n# after\ngit: {}\n",
    ],
    [
      "no key yet after a block text",
      "git:\n  # why\n  run_tests: true\nprotect:\n  except:\n    - a\n",
      { protect: { paths: ["x"] } },
      'git:\n  # why\n  run_tests: true\nprotect:\n  except:\n    - a\n  paths: ["x"]\n',
    ],
    [
      "an empty section",
      "tests: # soon\ngit:\n  run_tests: true\n",
      command,
      "tests: # soon\n  command: make check\ngit:\n  run_tests: true\n",
    ],
    ["no section yet", "version: 1", command, "version: 1\n\ntests:\n  command: make check\n"],
    ["nothing at all", "", command, "tests:\n  command: make check\n"],
    ["only a comment", "# mine\n", command, "# mine\ntests:\n  command: make check\n"],
    [
      "CRLF",
      "version: 1\r\ntests:\r\n  max_retries: 1\r\n",
      command,
      "version: 1\r\ntests:\r\n  max_retries: 1\r\n  command: make check\r\n",
    ],
    ["a byte order mark", "\uFEFFtests:\n  command: a\n", command, "\uFEFFtests:\n  command: make check\n"],
    [
      "braces",
      "tests: { max_retries: 1, } # x\n",
      command,
      "tests: { max_retries: 1, command: make check, } # x\n",
    ],
    ["empty braces", "tests: {}\n", command, "tests: { command: make check }\n"],
    [
      "braces all around",
      "{ version: 1, git: { run_tests: false } }\n",
      command,
      "{ version: 1, git: { run_tests: false }, tests: { command: make check } }\n",
    ],
    [
      "a folded text",
      "tests:\n  command: >-\n    npm\n    test\n  max_retries: 1\n",
      command,
      "tests:\n  command: make check\n  max_retries: 1\n",
    ],
    [
      "a list in brackets",
      'protect:\n  paths: [a, "b"]   # two\n',
      { protect: { paths: ["a", "c"] } },
      'protect:\n  paths: ["a", "c"]   # two\n',
    ],
    [
      "a list of lines",
      "protect:\n  paths:\n    - a # first\n    - 'b'\n    # third\n    - c\n  except: []\n",
      { protect: { paths: ["a", "c", "d/**", ".env"] } },
      'protect:\n  paths:\n    - a # first\n    # third\n    - c\n    - "d/**"\n    - .env\n  except: []\n',
    ],
    [
      "a list of lines at the key's own depth",
      "protect:\n  paths:\n  - a\n  - b\n  except: []\n",
      { protect: { paths: ["b", "c"] } },
      "protect:\n  paths:\n  - b\n  - c\n  except: []\n",
    ],
    [
      "a list of lines emptied",
      "protect:\n  paths:\n  - a\n  - b\n  except: []\n",
      { protect: { paths: [] } },
      "protect:\n  paths: []\n  except: []\n",
    ],
    [
      "a value that is so already",
      "tests: {command:   'make check'}",
      command,
      "tests: {command:   'make check'}",
    ],
    [
      "several at once",
      "git: { run_tests: true }\n",
      { git: { run_tests: false }, review: { max_diff_lines: 5 }, tests: { timeout: 90_000 } },
      "git: { run_tests: false }\n\nreview:\n  max_diff_lines: 5\n\ntests:\n  timeout: 1m30s\n",
    ],
  ])("%s", (_, before, answers, after) => {
    expect(edit(before, answers)).toBe(after);
  });

  test("what does not parse is left alone", () => {
    expect(editManifest("tests: [\n", command, "holdfast.yaml")).toMatchObject({
      text: null,
      problem: { code: "HF301", message: "holdfast.yaml is left as it is: it does not parse" },
    });
  });

  test("a layout it cannot edit is refused, not damaged", () => {
    expect(editManifest("version: 1\n...\n", command, "holdfast.yaml")).toMatchObject({
      text: null,
      problem: { message: "holdfast.yaml is left as it is: its layout is one Holdfast cannot edit safely" },
    });
    expect(edit("base: &b { command: a }\ntests: *b\n", command)).toBe(null);
  });

  test("whatever is asked of whatever layout: the text means it, or nothing is handed out", () => {
    const scalar = fc.constantFrom(
      "a",
      "'a b'",
      '"x"',
      "",
      "|\n    t\n",
      ">-\n    t\n    u",
      "5",
      "true",
      "[a, b]",
      "\n    - a\n    - b",
      "&x a",
      "*x",
    );
    const key = fc.constantFrom(
      "command",
      "paths",
      "except",
      "max_retries",
      "timeout",
      "run_tests",
      "odd key",
      "risky",
    );
    const comment = fc.constantFrom("", " # c", "\n  # below", "\n");
    const pair = fc.tuple(key, scalar, comment).map(([k, v, c]) => `  ${k}: ${v}${c}\n`);
    const section = fc
      .tuple(
        fc.constantFrom("tests", "protect", "git", "commands", "other"),
        fc.uniqueArray(pair, { maxLength: 3 }),
      )
      .map(([name, pairs]) => `${name}:\n${pairs.join("")}`);
    const text = fc.array(section, { maxLength: 4 }).map((all) => all.join(""));
    const answers: fc.Arbitrary<Answers> = fc.record(
      {
        protect: fc.record({ paths: fc.array(fc.string({ minLength: 1 }).filter((s) => s.trim() !== "")) }),
        tests: fc.record(
          { command: fc.string({ unit: "grapheme" }), max_retries: fc.nat(20) },
          { requiredKeys: [] },
        ),
        git: fc.record({ run_tests: fc.boolean() }),
      },
      { requiredKeys: [] },
    );
    let edited = 0;
    fc.assert(
      fc.property(text, fc.boolean(), answers, (lf, crlf, asked) => {
        const before = crlf ? lf.replaceAll("\n", "\r\n") : lf;
        const after = edit(before, asked);
        if (after === null) return;
        edited++;
        const { settings } = load(after);
        for (const name of ["protect", "git"] as const) {
          if (asked.protect && name === "protect")
            expect(new Set(settings?.protect.paths)).toEqual(new Set(asked.protect.paths));
          if (asked.git && name === "git") expect(settings?.git).toEqual({ runTests: asked.git.run_tests });
        }
        if (asked.tests?.command !== undefined) expect(settings?.tests.command).toBe(asked.tests.command);
        expect(edit(after, asked)).toBe(after);
      }),
      { numRuns: 500 },
    );
    expect(edited).toBeGreaterThan(250);
  });
});

describe("a .reflex.toml", () => {
  test("becomes a manifest with the same meaning", () => {
    const toml = `[agents]
enabled = ["claude-code", "git"]
scope = "user"
[protect]
paths = [".env", "db/**"]
[tests]
command = "cargo test"
on_failure = "ask"
max_retries = 1
[review]
max_diff_lines = 10
[git]
run_tests = false
`;
    const imported = importReflex(toml, ".reflex.toml");
    expect({ ...imported, text: load(imported.text ?? "") }).toEqual({
      text: {
        settings: {
          ...defaultSettings,
          protect: { ...defaultSettings.protect, paths: [".env", "db/**"] },
          tests: { ...defaultSettings.tests, command: "cargo test", onFailure: "ask", maxRetries: 1 },
          review: { maxDiffLines: 10 },
          git: { runTests: false },
        },
        problems: [],
      },
      answers: {
        protect: { paths: [".env", "db/**"] },
        tests: { command: "cargo test", on_failure: "ask", max_retries: 1 },
        review: { max_diff_lines: 10 },
        git: { run_tests: false },
      },
      agents: ["claude-code", "git"],
      scope: "user",
      problems: [],
    });
  });

  test("says what it leaves out", () => {
    const imported = importReflex('[tests]\nretries = 3\nmax_retries = "2"\n[weather]\n', ".reflex.toml");
    expect(imported.problems.map((p) => `${p.code} ${p.message}`)).toEqual([
      'HF310 unknown key "tests.retries" is left out',
      "HF303 tests.max_retries wants a whole number from 0 to 20; the default is taken",
      'HF310 unknown key "weather" is left out',
    ]);
  });

  test("that does not parse gives the place", () => {
    expect(importReflex("[tests\ncommand = 1\n", ".reflex.toml")).toMatchObject({
      text: null,
      problems: [{ code: "HF301", where: { file: ".reflex.toml", line: 1 } }],
    });
  });
});
