import { describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { loadManifest } from "../../src/manifest/load.ts";

const file = "holdfast.yaml";
const load = (text: string) => loadManifest(new TextEncoder().encode(text), file);
const short = (text: string) =>
  load(text).problems.map(
    (p) => `${p.code} ${p.severity} ${p.where.line ?? "-"}:${p.where.column ?? "-"} ${p.message}`,
  );

describe("a manifest that is fine", () => {
  test("every key is read into the settings", () => {
    const text = `version: 1
protect:
  paths: [".env", "db/**"]
  except: [".env.example"]
  reads: ["*.pem", $env]
  holdfast: false
commands:
  risky: deny
  packs: { database: off, publish: deny }
  override:
    git/force-push: deny
    budget: off
  rules:
    - { match: "Terraform  apply", message: "Changes real infrastructure." }
    - match: npm install|i !-g
      verdict: deny
      instead: pnpm add
tests:
  command: pnpm test
  on_failure: ask
  max_retries: 0
  timeout: 1m30s
  skip_when_unchanged: false
review: { max_diff_lines: 50 }
git: { run_tests: false }
`;
    expect(load(text)).toEqual({
      settings: {
        protect: {
          paths: [".env", "db/**"],
          except: [".env.example"],
          reads: ["*.pem", "$env"],
          holdfast: false,
        },
        commands: {
          risky: "deny",
          packs: { database: "off", publish: "deny" },
          override: { "git/force-push": "deny", budget: "off" },
          rules: [
            {
              id: "rules/terraform-apply",
              match: "terraform apply",
              verdict: "ask",
              message: "Changes real infrastructure.",
              instead: "",
            },
            {
              id: "rules/npm-install-i-g",
              match: "npm install|i !-g",
              verdict: "deny",
              message: "",
              instead: "pnpm add",
            },
          ],
        },
        tests: {
          command: "pnpm test",
          onFailure: "ask",
          maxRetries: 0,
          timeoutMs: 90_000,
          skipWhenUnchanged: false,
        },
        review: { maxDiffLines: 50 },
        git: { runTests: false },
      },
      problems: [],
    });
  });

  test.each([
    ["nothing at all", ""],
    ["only comments", "# nothing yet\n"],
    ["empty sections", "protect:\ntests:\n  command:\n"],
    ["a byte order mark", "\uFEFFversion: 1\n"],
  ])("%s means the defaults", (_, text) => {
    expect(load(text)).toEqual({ settings: defaultSettings, problems: [] });
  });

  test("an empty command switches the tests off, an absent one means: find out", () => {
    expect(load('tests: { command: "" }').settings?.tests.command).toBe("");
    expect(load("tests: { max_retries: 1 }").settings?.tests.command).toBe(null);
  });

  test.each([
    ["30s", 30_000],
    ["9m", 540_000],
    ["90", 90_000],
    ["2m5s", 125_000],
  ])("a timeout of %s is %d ms", (written, ms) => {
    expect(load(`tests: { timeout: ${written} }`).settings?.tests.timeoutMs).toBe(ms);
  });

  test("off is a word, also in a file that says it is YAML 1.1", () => {
    expect(load("%YAML 1.1\n---\ncommands: { risky: off }\n").settings?.commands.risky).toBe("off");
  });

  test("anchors and aliases work", () => {
    const text = "protect:\n  paths: &list [.env, a.key]\n  except: *list\n";
    expect(load(text).settings?.protect).toEqual({
      ...defaultSettings.protect,
      paths: [".env", "a.key"],
      except: [".env", "a.key"],
    });
  });
});

describe("a manifest that is not fine", () => {
  test("an unknown key is named with its place and the nearest known one", () => {
    expect(load("tests:\n  command: npm test\n  max_retry: 3\n").problems).toEqual([
      {
        code: "HF310",
        severity: "warning",
        message: 'unknown key "max_retry" in tests — did you mean "max_retries"?',
        hint: "`holdfast doctor --fix` renames it.",
        where: { file, line: 3, column: 3 },
        cause: "",
        fixable: true,
      },
    ]);
  });

  test("an unknown key near nothing lists what there is", () => {
    const [only] = load("colours: blue\n").problems;
    expect(only?.hint).toBe("Known keys: version, protect, commands, tests, review, git.");
    expect(only?.fixable).toBe(false);
  });

  test("a wrong type is an error for its key, and only its key falls back", () => {
    const text = "tests:\n  max_retries: many\n  command: make check\nreview:\n  max_diff_lines: -1\n";
    expect(short(text)).toEqual([
      "HF303 error 2:16 tests.max_retries wants a whole number from 0 to 20; the default stays: 2",
      "HF303 error 5:19 review.max_diff_lines wants a whole number from 0 to 1000000; the default stays: 800",
    ]);
    expect(load(text).settings).toEqual({
      ...defaultSettings,
      tests: { ...defaultSettings.tests, command: "make check" },
    });
  });

  test("a list with one wrong entry protects the built-in list and the good entries", () => {
    const { settings } = load("protect:\n  paths:\n    - db/**\n    - 5\n");
    expect(settings?.protect.paths).toEqual([...defaultSettings.protect.paths, "db/**"]);
    expect(short("protect:\n  paths:\n    - db/**\n    - 5\n")).toEqual([
      "HF303 error 4:7 protect.paths wants texts only; the built-in list stays in force beside it",
    ]);
  });

  test.each([
    ["protect: yes", "HF303 error 1:10 protect wants keys below it"],
    [
      "protect: { paths: .env }",
      'HF303 error 1:19 protect.paths wants a list of texts; the default stays: [".env", ".env.*", "*.pem", "*.key", "secrets/**", ".github/workflows/**", "migrations/**"]',
    ],
    [
      "commands: { risky: never }",
      "HF303 error 1:20 commands.risky wants ask, deny or off; the default stays: ask",
    ],
    ["git: { run_tests: on }", "HF303 error 1:19 git.run_tests wants true or false; the default stays: true"],
    ["tests: { timeout: 20m }", "HF303 error 1:19 tests.timeout may be 9m at most; the default stays: 9m"],
    ["tests: { timeout: soon }", "HF303 error 1:19 tests.timeout wants a time; the default stays: 9m"],
    [
      "tests: { command: 5 }",
      "HF303 error 1:19 tests.command wants a text; the default stays: found out by itself",
    ],
    ["version: 2", "HF304 error 1:10 the file is written for a newer Holdfast"],
    ["version: one", "HF304 error 1:10 version wants 1"],
    ["git: {}\ngit: {}", 'HF303 error 2:1 key "git" is given twice'],
    ["hooks: { prettier: { run: x } }", 'HF317 warning 1:1 "hooks" is not yet acted on'],
    [
      "commands: { packs: { databse: off } }",
      'HF303 error 1:22 commands.packs knows no pack "databse" — did you mean "database"?; it is left out',
    ],
    [
      "commands:\n  override:\n    git/force-psh: deny",
      'HF303 error 3:5 commands.override knows no rule "git/force-psh" — did you mean "git/force-push"?; it is left out',
    ],
    [
      "commands: { packs: { git: maybe } }",
      'HF303 error 1:22 commands.packs wants ask, deny or off for "git"; it is left out',
    ],
    [
      "commands: { packs: off }",
      "HF303 error 1:20 commands.packs wants names with ask, deny or off; the default stays: {}",
    ],
    [
      "commands:\n  rules:\n    - { match: 'rm .*' }",
      'HF303 error 3:9 commands.rules wants words of a command; ".*" is a regular expression\'s; it is left out',
    ],
    [
      "commands: { rules: [{ verdict: deny }] }",
      "HF303 error 1:21 commands.rules wants a match in each rule; it is left out",
    ],
    [
      "commands: { rules: [{ match: npm i, verdict: off }] }",
      "HF303 error 1:37 commands.rules wants ask or deny as verdict; it is left out",
    ],
    [
      "commands: { rules: [npm i] }",
      "HF303 error 1:21 commands.rules wants rules with match and verdict; it is left out",
    ],
    [
      "commands: { rules: { match: npm i } }",
      "HF303 error 1:20 commands.rules wants a list of rules; the default stays: []",
    ],
  ])("%s", (text, expected) => {
    expect(short(text)).toEqual([expected]);
    expect(load(text).settings).toEqual(defaultSettings);
  });

  test("a rule with a key too many still counts", () => {
    const text = "commands: { rules: [{ match: npm i, verdikt: deny }] }";
    expect(short(text)).toEqual([
      'HF303 error 1:37 commands.rules knows no key of a rule "verdikt" — did you mean "verdict"?; it is left out',
    ]);
    expect(load(text).settings?.commands.rules).toEqual([
      { id: "rules/npm-i", match: "npm i", verdict: "ask", message: "", instead: "" },
    ]);
  });

  test("text that does not parse gives no settings, and the place", () => {
    const { settings, problems } = load('protect:\n  paths: [".env"\ntests:\n  command: x\n');
    expect(settings).toBe(null);
    expect(problems[0]).toMatchObject({
      code: "HF301",
      severity: "error",
      message: "the file does not parse",
      where: { file, line: 3 },
    });
    expect(problems[0]?.cause).not.toBe("");
  });

  test.each([
    ["a list at the top", "- a\n- b\n"],
    ["a plain word", "hello\n"],
    ["two documents", "a: 1\n---\nb: 2\n"],
    ["a tab as indentation", "tests:\n\tcommand: x\n"],
  ])("%s does not parse", (_, text) => {
    expect(load(text).settings).toBe(null);
    expect(load(text).problems[0]?.code).toBe("HF301");
  });
});

describe("a manifest made to hurt", () => {
  const levels = Array.from(
    { length: 9 },
    (_, i) =>
      `l${i}: &l${i} [${Array(9)
        .fill(i === 0 ? "x" : `*l${i - 1}`)
        .join(",")}]`,
  );

  test("a pile of aliases is not expanded", () => {
    expect(load(`${levels.join("\n")}\nprotect: { paths: *l8 }\n`).settings?.protect.paths).toEqual(
      defaultSettings.protect.paths,
    );
  });

  test("too many aliases are refused", () => {
    const text = `a: &a x\nprotect: { paths: [${Array(200).fill("*a").join(",")}] }\n`;
    expect(short(text)).toEqual(["HF301 error -:- the file does not parse"]);
  });

  test.each([
    ["nesting a hundred thousand deep", "[".repeat(100_000)],
    ["NUL bytes", "\0\0\0\0: \0"],
    ["an alias of itself", "a: &a [*a]\nprotect: *a\n"],
  ])("%s ends in settings or a problem, never a throw", (_, text) => {
    const { settings, problems } = load(text);
    expect(settings !== null || problems.length > 0).toBe(true);
  });

  test.each([
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x61, 0x00]), "the file is UTF-16"],
    ["Latin-1", new Uint8Array([0x61, 0xe9, 0x3a]), "the file is not UTF-8 text"],
    ["200 KB", new Uint8Array(200 * 1024).fill(0x23), "the file is larger than 128 KB"],
  ])("%s is refused", (_, bytes, message) => {
    const { settings, problems } = loadManifest(bytes, file);
    expect(settings).toBe(null);
    expect(problems.map((p) => [p.code, p.message])).toEqual([["HF302", message]]);
  });
});
