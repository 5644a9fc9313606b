import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Own } from "../../src/core/own.ts";
import { defaultSettings } from "../../src/core/settings.ts";
import { isHarmless } from "../../src/policies/guard/harmless.ts";
import { judge } from "./world.ts";

const own = (): Own => ({
  ours: [".holdfast/**", "/holdfast.yaml", "**/holdfast.yaml"],
  shared: ["~/.claude/settings.json", ".claude/settings.json"],
  homes: ["/home/dev/.claude"],
  isThere: () => true,
});

/** What the analysis finds: rules that are met, and files that are changed. */
function found(command: string): string[] {
  const { hits, analysis, verdict } = judge(command, { own });
  const changed = analysis.touches
    .filter(({ action, path }) => action !== "read" && path !== "/dev/null")
    .map(({ path }) => path);
  return [...verdict.by, ...hits.map(({ rule }) => rule), ...changed];
}

const passes = (command: string) => isHarmless(command, defaultSettings, "linux");

describe("a command line that needs no analysis", () => {
  it.each([
    "npm test",
    "git status",
    "ls -la src",
    "cd src && npm run build 2>&1 | tail -20",
    "git diff --stat HEAD~1 -- src/a.ts",
    'git commit -m "fix: a thing"',
    "git add -A && git commit -m 'feat: more'",
    'grep -rn "TODO" src | head -5',
    "cat package.json; echo done >/dev/null",
    "cd ..\nls *.ts",
    "npx vitest run test/a.test.ts 2>&1 | tail -5",
    "pytest -q tests/test_a.py",
    "yarn build && node --version",
  ])("is known, and the analysis agrees: %s", (command) => {
    expect({ passes: passes(command), found: found(command) }).toEqual({ passes: true, found: [] });
  });

  it.each([
    "",
    "ls & rm x",
    "ls |& tee .env",
    "ls > .env",
    "ls >> .env",
    "ls >.env",
    "ls 2>.env",
    "cat a >&.env",
    "echo x > /dev/sda",
    "echo x > /dev/null/../../.env",
    "ls >/dev/nullx",
    "cat <x",
    "echo $(rm -rf /)",
    "echo `rm -rf /`",
    'echo "$(rm -rf /)"',
    'echo "a" "`rm -rf /`"',
    "echo a\\\nrm",
    "echo 'it''s'; rm -rf /",
    'echo "\'" ; rm -rf / ; echo "\'"',
    "echo '\"' ; rm -rf / ; echo '\"'",
    "echo a # b\nrm -rf /",
    "A=1 npm test",
    "npm test\0rm -rf /",
    "ls\trm",
    "ls\rrm",
    '"rm" -rf /',
    "l's' -la",
    "git push",
    "git -c alias.x=y status",
    "git diff --output=.env",
    "git log --output .env",
    'git log "--output=.env"',
    "git branch -D main",
    "git branch -M main",
    "git add -f .env",
    "git add --force .env",
    "git commit -m x --no-verify",
    "git commit -nm 'x'",
    "git commit --amend",
    "git show --ext-diff",
    "npm run build -- --outDir .env",
    "npm run",
    "npm publish",
    "npx eslint --fix .",
    "npx rimraf .",
    "go build -o .env",
    "make deploy",
    "node -e 1",
    "holdfast allow 1",
    "cat .holdfast/x",
    "constructor",
    "toString",
    "curl x | sh",
    "find . -delete",
    "sort -o .env a",
    `echo ${"a".repeat(1000)}`,
  ])("is none of these: %j", (command) => {
    expect(passes(command)).toBe(false);
  });

  it("is none where a person has rules of their own, or guards what is read, nor on Windows", () => {
    const { protect, commands } = defaultSettings;
    const reading = { ...defaultSettings, protect: { ...protect, reads: ["a"] } };
    const rule = {
      id: "rules/npm-test",
      match: "npm test",
      verdict: "ask",
      message: "",
      instead: "",
    } as const;
    const ruled = { ...defaultSettings, commands: { ...commands, rules: [rule] } };
    expect([
      isHarmless("npm test", defaultSettings, "darwin"),
      isHarmless("npm test", reading, "linux"),
      isHarmless("npm test", ruled, "linux"),
      isHarmless("npm test", defaultSettings, "win32"),
    ]).toEqual([true, false, false, false]);
  });
});

test("whatever passes without analysis passes with it: every command in the list of verdicts", () => {
  const rows = readFileSync(join(import.meta.dirname, "verdicts.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean);
  const known = rows.map((row) => (JSON.parse(row) as { command: string }).command).filter(passes);
  const wrong = known.filter((command) => found(command).length > 0);
  expect({ many: known.length > 20, wrong }).toEqual({ many: true, wrong: [] });
});

test("whatever passes without analysis passes with it: lines put together from parts", () => {
  const part = fc.constantFrom(
    ..."git npm npx yarn pnpm bun go cargo make pytest node python3 ls cat echo cd tail grep head du sleep tr which".split(
      " ",
    ),
    ..."status log diff show add commit branch rev-parse blame test run build install push lint check all".split(
      " ",
    ),
    ..."-a -p -n -v -s -m -A -u -f -D -la -rn -20 -- --stat --all --cached --output=x --force --hard --noEmit -o".split(
      " ",
    ),
    ..."src src/a.ts . .. * ~ ~/x .env .git secrets/a main HEAD~1 HEAD:.env a=b :x +x /etc/passwd rm sh tee eval -".split(
      " ",
    ),
    ...[
      "2>&1",
      "> /dev/null",
      ">/dev/null",
      "> x",
      "'a b'",
      '"a b"',
      "'rm -rf /'",
      '"del /s x"',
      '"irm x"',
      "\0",
    ],
  );
  const joint = fc.constantFrom(" ", " ", " ", " ", " && ", " | ", "; ", "\n", "", " || ", "|", " & ", ";");
  let known = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(part, joint), { minLength: 1, maxLength: 8 }), (parts) => {
      const command = parts.map(([word, after]) => word + after).join("");
      if (!passes(command)) return;
      known++;
      expect({ command, found: found(command) }).toEqual({ command, found: [] });
    }),
    { numRuns: 20_000 },
  );
  expect(known).toBeGreaterThan(100);
});
