import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { wayToWrite } from "../../src/install/disk.ts";
import { holdfast, makePlace, type Place } from "../cli/harness.ts";
import { type Told, toldBy } from "./told.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

async function told(yaml: string | null): Promise<Told[]> {
  if (yaml !== null) writeFileSync(join(place.project, "holdfast.yaml"), yaml);
  return (await toldBy(place, [], (code) => /^HF(?:107|3|813)/.test(code))).findings;
}

describe("patterns that cannot match what was meant", () => {
  test.each([
    ["paths", "!.env.example", 'Exceptions stand in protect.except: [".env.example"].'],
    ["except", "!.env.example", 'Write it without the "!": ".env.example".'],
    ["paths", "$HOME/y", 'Write "~/y".'],
    ["reads", "\u0024{HOME}/.aws/**", 'Write "~/.aws/**".'],
    ["paths", "%USERPROFILE%\\\\y", 'Write "~/y".'],
    ["paths", "$PROJECT/secrets/**", "Write the path itself."],
    ["paths", "~", 'Write "~/**".'],
    ["paths", ".", 'Write "**".'],
    ["paths", "~ann/keys", "Write the whole path."],
    ["paths", "~/../x", "Write the path without it."],
  ])("HF319 %s: %s", async (key, pattern, hint) => {
    const found = await told(`protect:\n  ${key}:\n    - .env\n    - "${pattern}"\n`);
    expect(found).toMatchObject([{ code: "HF319", severity: "warning", hint, line: 4 }]);
    expect(found[0]?.message).toContain(`protect.${key} "`);
  });

  test("HF319 a folder, named without what is in it", async () => {
    for (const name of ["secrets", "vault/keys"]) mkdirSync(join(place.project, name), { recursive: true });
    const found = await told(
      "protect:\n  paths: [.env, secrets, vault/keys, vault/**, absent, ./secrets/]\n",
    );
    expect(found.map(({ code, hint }) => [code, hint])).toEqual([
      ["HF319", 'Write "secrets/**".'],
      ["HF319", 'Write "vault/keys/**".'],
    ]);
  });

  test("others are none of them", async () => {
    const fine = [
      "$id.tsx",
      "app/$slug/**",
      "[!a].env",
      "../x",
      "~/.ssh/**",
      "./.env",
      "a!b",
      "**",
      "/",
      "%a.txt",
    ];
    expect(await told(`protect:\n  paths: ${JSON.stringify(fine)}\n  reads: [$env]\n`)).toEqual([]);
  });
});

describe("settings that protect nothing", () => {
  const install = () => holdfast(place, ["install", "--yes", "--agent", "claude-code"]);

  test("HF320 exceptions that take back everything, and no fault of the launcher", async () => {
    await install();
    expect(await told('protect:\n  except: ["**"]\n')).toMatchObject([
      { code: "HF320", severity: "warning" },
    ]);
    expect(await told('protect:\n  except: [".env"]\n')).toEqual([]);
  });

  test("HF320 an empty list is told, as a note; --protect '' is taken for a slip", async () => {
    await install();
    expect(await told("protect:\n  paths: []\n")).toMatchObject([{ code: "HF320", severity: "info" }]);
    for (const given of ["", ",", " "]) {
      const { code, stderr } = await holdfast(place, ["install", "--yes", "--protect", given]);
      expect([code, stderr]).toEqual([64, expect.stringContaining("--protect wants at least one pattern")]);
    }
  });
});

test("HF301 is not answered with the command that shows it", async () => {
  const [found] = await told("protect: [\n");
  expect(found?.hint).toMatch(/^Mend it there; until then the built-in guards stay on/);
});

test("HF302 an install leaves a folder of the manifest's name alone", async () => {
  mkdirSync(join(place.project, "holdfast.yaml"));
  expect(await told(null)).toMatchObject([{ code: "HF302", severity: "error" }]);
  const { code, stderr } = await holdfast(place, ["install", "--yes", "--agent", "claude-code"]);
  expect([code, stderr]).toEqual([3, expect.stringContaining("HF117")]);
});

test("a read-only file is answered with what really helps", () => {
  expect(wayToWrite("EACCES", "/x", 1, 1)).toBe("if that is meant to change: chmod u+w '/x'");
  expect(wayToWrite("EROFS", "/x", 1, 1)).toMatch(/mounted read-only: mount it writable, or .*--scope user$/);
  expect(wayToWrite("EACCES", "/x", 0, 1)).toMatch(/^it belongs to another user/);
  expect(wayToWrite("EPERM", "/x", 0, 0)).toContain("lsattr");
});

describe("a folder of its own that takes no records", () => {
  test.skipIf(process.getuid?.() === 0)("HF813 is told by doctor", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code"]);
    const folder = join(place.home, ".holdfast");
    chmodSync(folder, 0o500);
    const found = await told(null);
    chmodSync(folder, 0o700);
    expect(found).toMatchObject([{ code: "HF813", severity: "error" }]);
  });

  test("is said by the hook itself, which still guards", async () => {
    const program = join(process.cwd(), "dist/holdfast.cjs");
    execFileSync("sh", [
      "-c",
      `mkdir -p "$0" && ln -s /dev/full "$0/journal.jsonl" && ln -s /dev/full "$0/problems.jsonl"`,
      join(place.home, ".holdfast"),
    ]);
    const input = JSON.stringify({
      session_id: "s",
      cwd: place.project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "echo x > .env" },
    });
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [program, "hook", "claude-code", "pre-tool"],
      {
        cwd: place.project,
        env: { HOME: place.home, PATH: process.env.PATH },
        input,
        encoding: "utf8",
      },
    );
    expect([status, stdout]).toEqual([0, expect.stringContaining('"permissionDecision":"deny"')]);
    expect(stderr).toMatch(
      /^holdfast: the journal could not be written \(ENOSPC.*\)\. See: holdfast doctor\n$/,
    );
  });
});
