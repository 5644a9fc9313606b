import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { dict, text } from "../src/core/read.ts";
import { judge } from "./guard-commands/world.ts";

const root = join(import.meta.dirname, "..");
const stage = mkdtempSync(join(tmpdir(), "holdfast-everyday-"));
afterAll(() => rmSync(stage, { recursive: true, force: true }));

/** What these scripts are for, by their name: they publish, and are not everyday work. */
const releasing = /release|publish|deploy|version|prepack|tag\b/i;

test("the scripts and the documented commands of every installed package pass, but for two that clean", () => {
  const commands = installedPackages().flatMap((name) => [...scriptsOf(name), ...documentedIn(name)]);
  const stopped = commands.filter(({ command }) => judge(command).verdict.decision !== "allow");
  expect({ many: commands.length > 300, stopped: stopped.map(({ where }) => where) }).toEqual({
    many: true,
    stopped: ["yaml clean", "zod clean"],
  });
});

test("a stop that nobody has judged fails the measurement and is shown", () => {
  const { status, stdout } = measured("ls -la\ngit push --force\n", []);
  expect({
    status,
    shown: /not judged: [0-9a-f]{16} {2}git\/force-push {2}"git push --force"/.test(stdout),
  }).toEqual({ status: 1, shown: true });
});

test("judged stops pass the measurement, unless too many were wrong", () => {
  const list = `${Array.from({ length: 400 }, (_, at) => `cat file-${at}.txt`).join("\n")}\ngit push --force\n`;
  const command = JSON.parse(measured(list, [], "--json").stdout)[0].command;
  const right = measured(list, [{ command, judgement: "right: rewrites the remote branch" }]);
  const few = measured(list, [{ command, judgement: "wrong: once in 401 commands" }]);
  const many = measured("ls\ngit push --force\n", [{ command, judgement: "wrong: every second one" }]);
  expect([right.status, few.status, many.status]).toEqual([0, 1, 1]);
});

function installedPackages(): string[] {
  return readdirSync(join(root, "node_modules"))
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(join(root, "node_modules", name)).map((inner) => `${name}/${inner}`)
        : [name],
    )
    .sort();
}

interface Found {
  readonly where: string;
  readonly command: string;
}

function scriptsOf(name: string): Found[] {
  const found = readOr(join(root, "node_modules", name, "package.json"), "{}");
  return Object.entries(dict(dict(JSON.parse(found) as unknown).scripts)).flatMap(([script, value]) => {
    const command = text(value);
    return command === null || releasing.test(script) ? [] : [{ where: `${name} ${script}`, command }];
  });
}

/** The shell lines of a package's README. */
function documentedIn(name: string): Found[] {
  const page = readOr(join(root, "node_modules", name, "README.md"), "");
  return [...page.matchAll(/^```(?:sh|bash|shell|console)\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = ""]) => block.split("\n").map((line) => line.replace(/^\s*[$>] /, "").trim()))
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((command) => ({ where: `${name} README`, command }));
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}

function measured(list: string, stops: readonly unknown[], ...more: string[]) {
  writeFileSync(join(stage, "commands.txt"), list);
  writeFileSync(join(stage, "stops.json"), JSON.stringify(stops));
  const args = [
    "bench/everyday.mjs",
    join(stage, "commands.txt"),
    "--stops",
    join(stage, "stops.json"),
    ...more,
  ];
  const HOLDFAST_PROGRAM = join(process.env.HOLDFAST_TEST_DIST ?? join(root, "dist"), "holdfast.cjs");
  const env = { ...process.env, HOLDFAST_PROGRAM };
  return spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", env });
}
