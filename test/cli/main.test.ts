import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../src/cli/catalog.ts";
import { jsonSchema } from "../../src/manifest/schema.ts";
import { envelopeOf, holdfast, makePlace, type Place } from "./harness.ts";

let place: Place;
beforeAll(() => {
  place = makePlace();
});
afterAll(() => place.remove());

describe("help and version", () => {
  test("the overview names every command and every global option", async () => {
    const { code, stdout, stderr } = await holdfast(place, ["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of Object.keys(commands)) expect(stdout).toContain(`\n  ${name} `);
    for (const name of ["--json", "--quiet", "--verbose", "--no-color", "--cwd", "--config", "--yes"]) {
      expect(stdout).toContain(name);
    }
  });

  test.each([[["help", "install"]], [["install", "--help"]], [["install", "-h", "--scope", "nowhere"]]])(
    "%s is the same page",
    async (argv) => {
      const page = await holdfast(place, ["help", "install"]);
      expect(page.stdout).toContain("Usage  holdfast install");
      expect(await holdfast(place, argv)).toEqual(page);
    },
  );

  test.each([[["version"]], [["--version"]], [["doctor", "--version"]]])(
    "%s prints the version alone",
    async (argv) => {
      const { code, stdout, stderr } = await holdfast(place, argv);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
    },
  );

  test("every command has a page with its usage, and its options explain themselves", async () => {
    for (const [name, { load }] of Object.entries(commands)) {
      const { spec } = await load();
      expect(spec.usage.split(" ")[0]).toBe(name === "status" ? "status" : name);
      for (const option of Object.values(spec.options)) expect(option.help.length).toBeGreaterThan(8);
      expect((await holdfast(place, ["help", name])).code).toBe(0);
    }
  });
});

describe("output that cannot be written", () => {
  const program = join(process.cwd(), "dist/holdfast.cjs");
  const run = (line: string) =>
    spawnSync("sh", ["-c", line, program], { cwd: place.project, encoding: "utf8", env: env() });
  const env = () => ({ PATH: process.env.PATH, HOME: place.home, node: process.execPath });

  test.skipIf(!existsSync("/dev/full")).each(["schema", "status", "explain ls", "doctor --json"])(
    "%s fails on a full disk, and says why",
    (command) => {
      const { status, stderr } = run(`"$node" "$0" ${command} >/dev/full`);
      expect([status, stderr]).toEqual([
        3,
        expect.stringMatching(/^holdfast: the output could not be .*ENOSPC/),
      ]);
    },
  );

  test("is no failure where the reader has enough", () => {
    const { stdout, stderr } = run(`{ "$node" "$0" schema; echo "$?" >&2; } | head -c 10`);
    expect([stdout.length, stderr]).toEqual([10, "0\n"]);
  });
});

describe("a folder that is gone by now", () => {
  const program = join(process.cwd(), "dist/holdfast.cjs");
  const run = (line: string) =>
    spawnSync("sh", ["-c", `mkdir gone && cd gone && rmdir ../gone && "$node" "$0" ${line}`, program], {
      cwd: place.project,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: place.home, node: process.execPath },
    });

  test.each(["", "status", "doctor", "allow abc", "uninstall", "explain ls --cwd sub"])(
    "%s says so, and what to do",
    (command) => {
      const { status, stdout, stderr } = run(command);
      expect([status, stdout, stderr]).toEqual([
        64,
        "",
        "✕ HF001  the folder this was started in is gone\n         → Go to one that is there (cd), or name it from the root with --cwd.\n",
      ]);
    },
  );

  test.each(["--version", "--help", "help allow"])("is not needed for %s", (command) => {
    const { status, stderr } = run(command);
    expect([status, stderr]).toEqual([0, ""]);
  });

  test.each(["status", "explain ls", "doctor", "schema", "coverage"])(
    "%s acts in the one that --cwd names",
    (command) => {
      const { status, stdout, stderr } = run(`${command} --json --cwd "${place.project}"`);
      expect([status === 64 || status === 3, stderr, JSON.parse(stdout).tool]).toEqual([
        false,
        "",
        "holdfast",
      ]);
    },
  );
});

describe("wrong usage ends with 64, names the mistake and the nearest thing", () => {
  test.each([
    [["instal"], 'there is no command "instal" — did you mean "install"?', "holdfast install"],
    [["xyzzy"], 'there is no command "xyzzy"', "holdfast --help lists the commands."],
    [["doctor", "--jsn"], '"doctor" has no option --jsn — did you mean --json?', "holdfast doctor --help"],
    [["doctor", "--bananas"], '"doctor" has no option --bananas', "holdfast doctor --help"],
    [["schema", "-x"], '"schema" has no option -x', "holdfast schema --help"],
    [["simulate", "pre-tool", "--path"], "--path wants a value", "holdfast simulate --help"],
    [["doctor", "--fix=yes"], "--fix takes no value", "holdfast doctor --help"],
    [["schema", "extra"], '"schema" does not know what to do with "extra"', "holdfast schema"],
    [["--cwd", "/nowhere/at/all", "doctor"], "there is no folder /nowhere/at/all", ""],
    [["simulate", "pre-tol"], 'there is no event "pre-tol" — did you mean "pre-tool"?', "Events:"],
    [
      ["simulate", "pre-tool", "--tool", "shel"],
      'there is no tool kind "shel" — did you mean "shell"?',
      "Kinds:",
    ],
    [
      ["simulate", "pre-tool", "--agent", "codx"],
      'there is no agent "codx" — did you mean "codex"?',
      "Known:",
    ],
    [["simulate", "pre-tool", "--tool", "write"], "--tool write wants --path", "For example: --path .env"],
    [["simulate"], "simulate wants an event", "holdfast simulate pre-tool"],
    [
      ["simulate", "pre-tool", "--path", "x", "--expect", "no"],
      '--expect wants allow, ask, deny, continue; it was given "no"',
      "",
    ],
  ])("%j", async (argv, message, hint) => {
    const { code, stdout, stderr } = await holdfast(place, argv);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toContain(`✕ HF001  ${message}`);
    expect(stderr).toContain(hint);
  });

  test("in JSON too", async () => {
    const { code, json } = await envelopeOf(place, ["instal"]);
    expect(code).toBe(64);
    expect(json).toEqual({
      tool: "holdfast",
      version: expect.any(String),
      command: "instal",
      ok: false,
      data: null,
      findings: [
        {
          code: "HF001",
          severity: "error",
          message: 'there is no command "instal" — did you mean "install"?',
          hint: "holdfast install",
          file: null,
          line: null,
          column: null,
          agent: null,
          fixable: false,
        },
      ],
    });
  });
});

describe("schema", () => {
  test("is the schema, on stdout, and the file in the repository", async () => {
    const { code, stdout, stderr } = await holdfast(place, ["schema"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(jsonSchema());
    expect(readFileSync("schema.json", "utf8")).toBe(stdout);
  });

  test("in the envelope with --json", async () => {
    expect((await envelopeOf(place, ["schema"])).json).toMatchObject({ ok: true, data: jsonSchema() });
  });
});

test("a crash leaves a report without arguments, and ends with 3", async () => {
  const folder = join(place.home, "broken");
  mkdirSync(folder);
  writeFileSync(join(folder, "holdfast.yaml"), "version: 1\n");
  const { code, stderr } = await holdfast(place, ["simulate", "prompt", "--prompt", "secret words"], {
    cwd: folder,
    // A list where a text belongs is nothing a real environment holds; it stands for any fault of ours.
    env: { TMPDIR: 5 as unknown as string },
  });
  expect(code).toBe(3);
  expect(stderr).toContain("HF003");
  expect(stderr).toContain("this is a fault in Holdfast");
  const [report] = readdirSync(join(place.home, ".holdfast", "crashes"));
  const text = readFileSync(join(place.home, ".holdfast", "crashes", report ?? ""), "utf8");
  expect(text).toContain("command: simulate");
  expect(text).not.toContain("secret words");
});
