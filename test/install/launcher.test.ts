import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hookCommand } from "../../src/agents/_family/command.ts";
import {
  installLauncher,
  launcherIsCurrent,
  launcherPath,
  type Program,
  removeLauncher,
} from "../../src/install/launcher.ts";

// Says what it was started with; what it is told to do stands in the second argument after `hook`.
const program = `
const [mode, agent, event] = process.argv.slice(2);
let input = "";
process.stdin.on("data", (chunk) => (input += chunk)).on("end", () => {
  console.log(JSON.stringify({ node: process.execPath, entry: __filename, mode, agent, event, input }));
  process.exitCode = Number(event) || 0;
  if (event === "throw") throw new Error("crash inside");
  if (event === "kill") process.kill(process.pid, "SIGKILL");
});
`;

const shells = ["/bin/dash", "/bin/bash", "/bin/sh"].filter((shell) => existsSync(shell));
let base: string;
let home: string;
let current: Program;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast 'launch' \\er-")));
  home = join(base, 'ho me"$x`', ".holdfast");
  const entry = join(base, "pack'age", "holdfast.cjs");
  mkdirSync(dirname(entry));
  for (const name of ["holdfast.cjs", "hook.cjs"]) writeFileSync(join(dirname(entry), name), program);
  current = { node: process.execPath, entry, version: "1.2.3" };
  installLauncher(home, current, process.platform);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly said: Record<string, unknown> | null;
  readonly stderr: string;
}

/** Runs one command line the way an agent does: through a shell, the payload on stdin. */
function sh(shell: string, line: string, env: Record<string, string> = {}): Ran {
  const clean = { HOME: dirname(home), PATH: join(base, "no-programs"), ...env };
  const { status, stdout, stderr } = spawnSync(shell, ["-c", line], {
    input: "{}",
    env: clean,
    encoding: "utf8",
  });
  return { code: status, said: stdout === "" ? null : JSON.parse(stdout), stderr };
}

const launch = (...args: string[]) => `'${launcherPath(home).replaceAll("'", `'\\''`)}' ${args.join(" ")}`;
const crumbs = () => readFileSync(join(home, "breadcrumbs.log"), "utf8");
const usable = { PATH: "/usr/bin:/bin" };

describe.each(shells)("in %s", (shell) => {
  const line = hookCommand("claude-code", "pre-tool");

  it("the fixed command line starts the program it was installed with", () => {
    expect(sh(shell, line)).toEqual({
      code: 0,
      said: {
        node: current.node,
        entry: current.entry,
        mode: "hook",
        agent: "claude-code",
        event: "pre-tool",
        input: "{}",
      },
      stderr: "",
    });
    const elsewhere = sh(shell, line, { HOME: "/nowhere", HOLDFAST_HOME: home });
    expect(elsewhere.said?.entry).toBe(current.entry);
  });

  it("a machine without Holdfast is not held up", () => {
    rmSync(home, { recursive: true });
    expect(sh(shell, line)).toEqual({ code: 0, said: null, stderr: "" });
    expect(sh(shell, line, { HOME: "" })).toEqual({ code: 0, said: null, stderr: "" });
  });

  it("a launcher that is not executable is passed over for one on PATH", () => {
    chmodSync(launcherPath(home), 0o644);
    const bin = join(base, "bin");
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, "node"));
    writeFileSync(
      join(bin, "holdfast"),
      `#!/bin/sh\nexec node '${current.entry.replaceAll("'", `'\\''`)}' "$@"\n`,
      { mode: 0o755 },
    );
    expect(sh(shell, line, { PATH: bin }).said?.agent).toBe("claude-code");
  });

  it("no Node anywhere: ends with 0, warns, and leaves a breadcrumb", () => {
    installLauncher(home, { ...current, node: join(base, "gone", "node") }, process.platform);
    // The usual places of a machine-wide Node are moved, as this machine may have one there.
    const script = readFileSync(launcherPath(home), "utf8");
    const moved = script.replaceAll(/ \/(opt|usr|snap)\//g, " /no-such-place/");
    expect(moved).not.toBe(script);
    writeFileSync(launcherPath(home), moved);
    expect(sh(shell, line)).toEqual({
      code: 0,
      said: null,
      stderr:
        "holdfast: no Node 20 or newer was found (hook claude-code pre-tool); nothing was checked. See: holdfast doctor\n",
    });
    expect(crumbs()).toMatch(/no Node 20 or newer was found \(hook claude-code pre-tool\) in \/.*\n$/);
  });
});

describe("finding what is needed", () => {
  const gone = () =>
    installLauncher(home, { ...current, node: join(base, "gone", "node") }, process.platform);

  it("takes a Node on PATH when the recorded one is gone, but not one that is too old", () => {
    gone();
    const [old, good] = ["old", "good"].map((name) => join(base, name));
    fakeNode(join(old ?? "", "node"), "v18.20.1");
    fakeNode(join(good ?? "", "node"), "v20.19.0");
    expect(sh("/bin/sh", launch("hook", "x", "y"), { PATH: `${good}:/usr/bin:/bin` }).stderr).toBe(
      "fake v20.19.0\n",
    );
    const nvm = join(dirname(home), ".nvm", "versions", "node");
    fakeNode(join(nvm, "v16.0.0", "bin", "node"), "v16.0.0");
    fakeNode(join(nvm, "v22.1.0", "bin", "node"), "v22.1.0");
    expect(sh("/bin/sh", launch("hook", "x", "y"), { PATH: `${old}:/usr/bin:/bin` }).stderr).toBe(
      "fake v22.1.0\n",
    );
  });

  it("runs its own copy when the package is gone", () => {
    rmSync(dirname(current.entry), { recursive: true });
    const ran = sh("/bin/sh", launch("hook", "x", "y"));
    expect(realpathSync(String(ran.said?.entry))).toBe(join(home, "lib", "1.2.3", "holdfast.cjs"));
  });

  it("lets an agent go on when both are gone, and says so; fails for a person", () => {
    rmSync(dirname(current.entry), { recursive: true });
    rmSync(join(home, "lib"), { recursive: true });
    expect(sh("/bin/sh", launch("hook", "x", "y"), { ...usable, HOLDFAST_HOME: home })).toMatchObject({
      code: 0,
      said: null,
      stderr: "holdfast: the program is gone (hook x y); nothing was checked. See: holdfast doctor\n",
    });
    expect(crumbs()).toMatch(/^\d{4}-\d\d-\d\dT\S+Z the program is gone \(hook x y\) in \/.*\n$/);
    expect(sh("/bin/sh", launch("doctor"), { ...usable, HOLDFAST_HOME: home })).toMatchObject({
      code: 3,
      stderr: "holdfast: the program is gone (doctor)\n",
    });
  });

  it("leaves no breadcrumb when doctor tries it out", () => {
    const ran = sh("/bin/sh", launch("hook", "x", "3"), { ...usable, HOLDFAST_DOCTOR: "1" });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("ended with 3 (hook x 3)") });
    expect(existsSync(join(home, "breadcrumbs.log"))).toBe(false);
  });

  it("keeps the breadcrumbs short", () => {
    writeFileSync(join(home, "breadcrumbs.log"), "x".repeat(200_000));
    sh("/bin/sh", launch("hook", "x", "2"), usable);
    expect(crumbs().length).toBeLessThan(1000);
  });
});

describe("exit codes", () => {
  it.each(["2", "3", "126", "127", "throw", "kill"])(
    "hook that ends with %s ends with 0 for the agent, with a breadcrumb",
    (event) => {
      expect(sh("/bin/sh", launch("hook", "x", event), usable).code).toBe(0);
      expect(crumbs()).toContain(
        `ended with ${{ throw: "1", kill: "137" }[event] ?? event} (hook x ${event})`,
      );
    },
  );

  it("git's refusal goes through, other faults do not", () => {
    expect(sh("/bin/sh", launch("hook", "git", "1"), usable).code).toBe(1);
    expect(sh("/bin/sh", launch("hook", "git", "127"), usable).code).toBe(0);
    expect(sh("/bin/sh", launch("hook", "x", "1"), usable).code).toBe(0);
  });

  it("every other command keeps its own", () => {
    expect(sh("/bin/sh", launch("doctor", "x", "3")).code).toBe(3);
    expect(sh("/bin/sh", launch("doctor", "x", "64")).code).toBe(64);
  });
});

describe("installing it", () => {
  it("is repeatable, private, and knows whether it is current", () => {
    expect(launcherIsCurrent(home, current)).toBe(true);
    installLauncher(home, current, process.platform);
    expect(statSync(launcherPath(home)).mode & 0o777).toBe(0o755);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(launcherIsCurrent(home, { ...current, version: "2.0.0" })).toBe(false);
  });

  it("keeps a copy of the newest version only", () => {
    installLauncher(home, { ...current, version: "2.0.0" }, process.platform);
    expect(readdirSync(join(home, "lib"))).toEqual(["2.0.0"]);
    expect(readdirSync(join(home, "lib", "2.0.0")).sort()).toEqual(["holdfast.cjs", "hook.cjs"]);
  });

  it("does not copy onto itself, nor a source tree that is no built program", () => {
    const copy = join(home, "lib", "1.2.3", "holdfast.cjs");
    installLauncher(home, { ...current, entry: copy }, process.platform);
    expect(readFileSync(copy, "utf8")).toBe(program);
    rmSync(join(dirname(current.entry), "hook.cjs"));
    installLauncher(home, { ...current, version: "3.0.0" }, process.platform);
    expect(readdirSync(join(home, "lib"))).toEqual(["1.2.3"]);
  });

  it("goes without a trace", () => {
    removeLauncher(home);
    expect(readdirSync(home)).toEqual([]);
  });
});

function fakeNode(file: string, version: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo ${version}; exit 0; }\necho "fake ${version}" >&2\n`;
  writeFileSync(file, script, { mode: 0o755 });
}
