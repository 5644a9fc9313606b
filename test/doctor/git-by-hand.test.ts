import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

/** Git and sh are here, and no `holdfast`. */
const env = { PATH: "/usr/bin:/bin" };
let place: Place;
const inProject = (...names: string[]) => join(place.project, ...names);
const hook = () => inProject(".husky", "pre-commit");

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

function git(...argv: string[]): { status: number | null; stderr: string } {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  const options = { cwd: place.project, env: { ...env, HOME: place.home }, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync("git", [...identity, ...argv], options);
  return { status, stderr };
}

/** Git runs hooks from a folder that is part of the repository, with a hook of the person's there. */
function hooksInTree(text = "#!/bin/sh\n", mode = 0o755): void {
  git("config", "core.hooksPath", ".husky");
  mkdirSync(inProject(".husky"), { recursive: true });
  writeFileSync(hook(), text, { mode });
  chmodSync(hook(), mode);
}

async function findings() {
  const { code, json } = await envelopeOf(place, ["doctor", "--agent", "git"], { env });
  const found = json.findings as { code: string; severity: string; file: string | null; hint: string }[];
  return { code, found: found.filter((one) => one.code.startsWith("HF6") || one.severity === "error") };
}

async function told() {
  const { code, found } = await findings();
  return { code, found: found.map((one) => [one.code, one.severity, one.file]) };
}

async function gitRow() {
  const { code, json } = await envelopeOf(place, ["status"], { env });
  const rows = (json.data as { agents: { agent: string; light: string; troubles: string[] }[] }).agents;
  const row = rows.find(({ agent }) => agent === "git");
  return [code, row?.light, row?.troubles];
}

const install = () => holdfast(place, ["install", "--yes", "--agent", "git"], { env });

/** The line that doctor or install asks for. */
async function lineAsked(): Promise<string> {
  const { found } = await findings();
  return /: (h=.*)$/.exec(found[0]?.hint ?? "")?.[1] ?? "";
}

describe("hooks inside the repository", () => {
  test("HF604 is a note until the line is there; then doctor and status agree that commits are guarded", async () => {
    hooksInTree();
    await install();
    expect(await told()).toEqual({ code: 0, found: [["HF604", "info", hook()]] });
    expect(await gitRow()).toEqual([0, "off", []]);
    writeFileSync(hook(), `#!/bin/sh\n${await lineAsked()}\n`);
    expect(await told()).toEqual({ code: 0, found: [] });
    expect(await gitRow()).toEqual([0, "ok", []]);
  });

  test("the line stops a commit without holdfast on PATH, in the middle of a script that ignores failures", async () => {
    hooksInTree();
    await install();
    writeFileSync(hook(), `#!/bin/sh\nfalse\n${await lineAsked()}\ntouch went-on\n`);
    git("add", "holdfast.yaml");
    expect(git("commit", "-qm", "fine").status).toBe(0);
    expect(existsSync(inProject("went-on"))).toBe(true);
    writeFileSync(inProject(".env"), "KEY=1\n");
    git("add", "--force", ".env");
    const refused = git("commit", "-qm", "keys");
    expect(refused).toEqual({ status: 1, stderr: expect.stringContaining(".env") });
  });

  test("on a machine without Holdfast the line holds nobody up, also under `sh -e`", async () => {
    hooksInTree();
    const line = await lineAsked();
    writeFileSync(hook(), `#!/bin/sh -e\n${line}\ntouch went-on\n`);
    writeFileSync(inProject(".env"), "KEY=1\n");
    git("add", "--force", ".env");
    expect(git("commit", "-qm", "keys")).toEqual({ status: 0, stderr: "" });
    expect(existsSync(inProject("went-on"))).toBe(true);
  });

  test("HF604 a line that relies on PATH where holdfast is not there is an error", async () => {
    hooksInTree("#!/bin/sh\nholdfast hook git pre-commit\n");
    await install();
    expect(await told()).toEqual({ code: 1, found: [["HF604", "error", hook()]] });
    expect(await gitRow()).toEqual([1, "attention", ["HF604"]]);
    writeFileSync(hook(), `#!/bin/sh\n# ${await lineAsked()}\n`);
    expect((await told()).found).toEqual([["HF604", "info", hook()]]);
  });

  test.each([
    ["#!/bin/sh\nholdfast hook git pre-commit\nnpm test\n", ["warning"]],
    [
      "#!/bin/sh\n! command -v holdfast >/dev/null 2>&1 || holdfast hook git pre-commit\nnpm test\n",
      ["warning"],
    ],
    ["#!/bin/sh\nholdfast hook git pre-commit || exit 1\nnpm test\n", []],
    ["#!/bin/sh\nset -eu\nholdfast hook git pre-commit\nnpm test\n", []],
    ["#!/bin/sh -e\nholdfast hook git pre-commit\nnpm test\n", []],
    ["#!/bin/sh\nnpm test\nholdfast hook git pre-commit\n", []],
  ])("HF604 a line whose refusal the script passes over: %j", async (text, severities) => {
    hooksInTree(text);
    const bin = join(place.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "holdfast"), "#!/bin/sh\n", { mode: 0o755 });
    const { json } = await envelopeOf(place, ["doctor", "--agent", "git"], {
      env: { PATH: `${bin}:${env.PATH}` },
    });
    const found = (json.findings as { code: string; severity: string }[]).filter(
      ({ code }) => code === "HF604",
    );
    expect(found.map(({ severity }) => severity)).toEqual(severities);
  });

  test("HF604 a hook with the line that may not be executed, or that nothing starts, is an error", async () => {
    hooksInTree();
    await install();
    writeFileSync(hook(), `#!/bin/sh\n${await lineAsked()}\n`);
    chmodSync(hook(), 0o644);
    expect(await told()).toEqual({ code: 1, found: [["HF604", "error", hook()]] });
    git("config", "core.hooksPath", ".husky/_");
    const started = inProject(".husky", "_", "pre-commit");
    expect(await told()).toEqual({ code: 1, found: [["HF604", "error", started]] });
  });

  test("HF105 the line is there and the launcher is not", async () => {
    hooksInTree();
    await install();
    writeFileSync(hook(), `#!/bin/sh\n${await lineAsked()}\n`);
    const launcher = join(place.home, ".holdfast", "bin", "holdfast");
    rmSync(launcher);
    expect(await told()).toEqual({ code: 1, found: [["HF105", "error", launcher]] });
    expect(await gitRow()).toEqual([1, "attention", ["HF105"]]);
  });
});

describe("HF601 an installed hook that core.hooksPath switched off", () => {
  test.each(["with", "without"])(
    "is an error %s the record of the install, until the line is there",
    async (how) => {
      await install();
      hooksInTree();
      if (how === "without") rmSync(join(place.home, ".holdfast", "ledger.json"));
      const file = inProject(".git", "hooks", "pre-commit");
      expect(await told()).toEqual({ code: 1, found: [["HF601", "error", file]] });
      expect(await gitRow()).toEqual([1, "attention", ["HF601"]]);
      writeFileSync(hook(), `${readFileSync(hook(), "utf8")}${await lineAsked()}\n`);
      expect(await told()).toEqual({ code: 0, found: [] });
    },
  );
});
