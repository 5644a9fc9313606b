import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setup } from "../../src/agents/git/setup.ts";
import { readMachine } from "../../src/install/detect.ts";
import { stampText } from "../../src/install/edit/own-file.ts";
import { itemsFor, type PlanItem } from "../../src/install/plan.ts";
import { planUninstall } from "../../src/install/uninstall.ts";
import {
  createPlace,
  install,
  ledgerOf,
  type Place,
  picture,
  plan,
  put,
  uninstall,
} from "./support/place.ts";

let place: Place;
let hooks: string;
let wish: PlanItem[];

beforeEach(async () => {
  place = createPlace();
  git("init", "-q");
  hooks = join(place.root, ".git", "hooks");
  rmSync(hooks, { recursive: true });
  wish = await wanted();
});
afterEach(() => rmSync(dirname(place.root), { recursive: true, force: true }));

async function wanted(): Promise<PlanItem[]> {
  const { home, root } = place;
  const machine = await readMachine({
    cwd: root,
    home,
    env: { PATH: process.env.PATH },
    platform: process.platform,
  });
  return itemsFor([{ setup, scope: "project" }], machine);
}

function git(...args: string[]) {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH ?? "", HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" };
  return spawnSync("git", ["-C", place.root, ...identity, ...args], { env, encoding: "utf8" });
}

const commit = () => git("commit", "--allow-empty", "-m", "x");

/** Stands in for Holdfast: says and exits as told. */
function pretend(says: string, code: number): void {
  put(join(place.home, ".holdfast", "bin", "holdfast"), `#!/bin/sh\necho "${says}"\nexit ${code}\n`, 0o755);
}

it("creates the hook and its folder; git really runs it; uninstall leaves nothing", () => {
  const before = picture(place.root);
  install(place, wish);
  pretend("holdfast: commit refused", 1);
  expect(commit().status).toBe(1);
  pretend("Error: Cannot find module", 1);
  expect(commit().status).toBe(0);
  git("update-ref", "-d", "HEAD");
  uninstall(place);
  expect(Object.keys(picture(join(place.root, ".git")))).not.toContain("hooks");
  expect(Object.keys(before)).not.toContain(".git/hooks");
});

it("a hook that does not find Holdfast lets the commit through and says so", () => {
  install(place, wish);
  rmSync(join(place.home, ".holdfast"), { recursive: true, force: true });
  const { status, stderr } = commit();
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining("holdfast: not found, so this commit was not checked\n"),
  ]);
});

it("a hook as an earlier version wrote it is brought up to date", () => {
  install(place, wish);
  const file = join(hooks, "pre-commit");
  const now = readFileSync(file, "utf8");
  const before = now.replace(/ \|\| \{ echo .*\}/, " || exit 0").replace(/(managed file).*/, "$1");
  expect(before).not.toBe(now);
  writeFileSync(file, stampText(before));
  const { changes } = plan(place, wish);
  expect(changes.map((change) => change.file)).toEqual([file]);
  install(place, wish);
  expect(readFileSync(file, "utf8")).toBe(now);
});

it("chains the person's hook: it runs first, decides first, and comes back by its own name", () => {
  const file = put(
    join(hooks, "pre-commit"),
    '#!/bin/sh\necho mine >>"$HOME/ran"\n[ ! -e "$HOME/stop" ]\n',
    0o755,
  );
  const before = picture(hooks);
  const made = install(place, wish);
  expect(made.changes.map(({ note }) => note)).toEqual([
    "Your pre-commit is kept as pre-commit.local and still runs, first.",
  ]);
  pretend("", 0);
  expect(commit().status).toBe(0);
  put(join(place.home, "stop"), "");
  expect(commit().status).toBe(1);
  rmSync(join(place.home, "stop"));
  pretend("holdfast: commit refused", 1);
  expect(commit().status).toBe(1);
  expect(readFileSync(join(place.home, "ran"), "utf8")).toBe("mine\nmine\nmine\n");
  expect(plan(place, wish).changes).toEqual([]);
  const { removals } = uninstall(place);
  expect(removals.map(({ level, words }) => [level, words])).toEqual([
    ["exact", `your own hook is back at ${file}`],
  ]);
  expect(picture(hooks)).toEqual(before);
});

it("a hook that is a symlink moves as a symlink", () => {
  mkdirSync(hooks);
  put(join(place.root, "scripts", "check"), "#!/bin/sh\n", 0o755);
  symlinkSync("../../scripts/check", join(hooks, "pre-commit"));
  const before = picture(place.root);
  install(place, wish);
  expect(readlinkSync(join(hooks, "pre-commit.local"))).toBe("../../scripts/check");
  expect(lstatSync(join(hooks, "pre-commit")).isFile()).toBe(true);
  expect(readFileSync(join(place.root, "scripts", "check"), "utf8")).toBe("#!/bin/sh\n");
  uninstall(place);
  expect(picture(place.root)).toEqual(before);
});

it("refuses when both names are taken", () => {
  put(join(hooks, "pre-commit"), "#!/bin/sh\n", 0o755);
  put(join(hooks, "pre-commit.local"), "#!/bin/sh\n", 0o755);
  const before = picture(place.root);
  expect(plan(place, wish).refused.map(({ code, message }) => [code, message])).toEqual([
    ["HF124", "there is a hook already, and its name as a chained hook, pre-commit.local, is taken too"],
  ]);
  expect(picture(place.root)).toEqual(before);
});

it("another tool's hook written over ours stays, and the chained one is named", () => {
  const file = put(join(hooks, "pre-commit"), "#!/bin/sh\n", 0o755);
  install(place, wish);
  writeFileSync(file, "#!/bin/sh\nlefthook run pre-commit\n");
  const { removals } = uninstall(place);
  expect(removals.map(({ level, words }) => [level, words])).toEqual([
    ["gone", `another tool's hook stands here now; yours is still at ${file}.local`],
  ]);
  expect(readFileSync(file, "utf8")).toContain("lefthook");
});

it("our hook deleted by hand: the person's still comes back", () => {
  const file = put(join(hooks, "pre-commit"), "#!/bin/sh\n", 0o755);
  const before = picture(hooks);
  install(place, wish);
  rmSync(file);
  uninstall(place);
  expect(picture(hooks)).toEqual(before);
});

it("repairs a hook that lost its execute bit", () => {
  install(place, wish);
  const file = join(hooks, "pre-commit");
  chmodSync(file, 0o644);
  install(place, wish);
  expect(lstatSync(file).mode & 0o777).toBe(0o755);
});

it("a hooks folder inside the repository is left alone and the line to add is shown", async () => {
  put(join(place.root, ".husky", "pre-commit"), "npm test\n");
  git("config", "core.hooksPath", ".husky");
  const made = plan(place, await wanted());
  expect(made.changes).toEqual([]);
  expect(made.hints.map(({ agent, file }) => ({ agent, file }))).toEqual([
    { agent: "git", file: join(place.root, ".husky", "pre-commit") },
  ]);
});

it("husky's own folder is written anew by husky: the line belongs into the folder above", async () => {
  put(join(place.root, ".husky", "_", "pre-commit"), "#!/bin/sh\n", 0o755);
  git("config", "core.hooksPath", ".husky/_");
  const made = plan(place, await wanted());
  expect(made.changes).toEqual([]);
  const file = join(place.root, ".husky", "pre-commit");
  expect(made.hints.map(({ agent, file }) => ({ agent, file }))).toEqual([{ agent: "git", file }]);
  expect(made.hints[0]?.message).toContain(`add this line to ${file}:`);
});

it("a hook installed from one worktree goes when another one uninstalls it", async () => {
  commit();
  install(place, wish);
  const tree = join(dirname(place.root), "tree");
  git("worktree", "add", "-q", tree);
  const { home, site } = place;
  const machine = await readMachine({
    cwd: tree,
    home,
    env: { PATH: process.env.PATH },
    platform: process.platform,
  });
  const there = itemsFor([{ setup, scope: "project" }], machine);
  expect(plan(place, there)).toMatchObject({ changes: [], unchanged: [join(hooks, "pre-commit")] });
  const made = planUninstall({
    ledger: ledgerOf(place),
    leaving: (_owner, root) => root === tree,
    items: there,
    machine,
    holdfastHome: site.holdfastHome,
  });
  expect(made.removals.map(({ file, level }) => [file, level])).toEqual([
    [join(hooks, "pre-commit"), "exact"],
  ]);
});

it("one that was edited by hand is refused with the way that brings the person's own hook back", () => {
  const own = put(join(hooks, "pre-commit"), "#!/bin/sh\nexit 3\n", 0o755);
  install(place, wish);
  writeFileSync(own, `${readFileSync(own, "utf8")}# mine\n`);
  const { refused } = uninstall(place, wish);
  const [move] = /mv .*?(?= {3})/.exec(refused[0]?.hint ?? "") ?? [];
  expect([refused.length, move]).toEqual([1, `mv '${own}.local' '${own}'`]);
  spawnSync("sh", ["-c", move ?? ""]);
  expect(readFileSync(own, "utf8")).toBe("#!/bin/sh\nexit 3\n");
  expect(commit().status).not.toBe(0);
});
