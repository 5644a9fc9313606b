import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FilePlan } from "../../src/core/setup.ts";
import { applyInstall } from "../../src/install/apply.ts";
import { readBackup } from "../../src/install/backup.ts";
import { takeLock } from "../../src/runtime/lock.ts";
import {
  createPlace,
  install,
  items,
  ledgerOf,
  type Place,
  picture,
  plan,
  put,
  settingsPlans,
  uninstall,
} from "./support/place.ts";

let place: Place;
let settings: string;
beforeEach(() => {
  place = createPlace();
  settings = join(place.root, ".claude", "settings.json");
});
afterEach(() => rmSync(dirname(place.root), { recursive: true, force: true }));

const wish = () => items(place, settingsPlans(settings));
const line = (file: string): FilePlan => ({ kind: "lines", file, lines: ["ours"] });

describe("where files are and how they are kept", () => {
  it("writes through a symlink into a dotfiles folder and leaves the link a link", () => {
    const dotfile = put(join(place.home, "dotfiles", "claude.json"), '{ "model": "opus" }\n', 0o600);
    mkdirSync(dirname(settings));
    symlinkSync("../../home/dotfiles/claude.json", settings);
    const before = picture(dirname(place.root));
    install(place, wish());
    expect(readlinkSync(settings)).toBe("../../home/dotfiles/claude.json");
    expect(lstatSync(dotfile).isFile()).toBe(true);
    expect(readFileSync(dotfile, "utf8")).toContain("turn-end");
    expect(readdirSync(dirname(dotfile))).toEqual(["claude.json"]);
    uninstall(place);
    expect(withoutHome(picture(dirname(place.root)))).toEqual(withoutHome(before));
  });

  it("writes below a folder that is a symlink, and removes only the folders it made", () => {
    const real = join(place.home, "dotfiles", "claude");
    mkdirSync(real, { recursive: true });
    symlinkSync(real, join(place.root, ".claude"));
    install(place, items(place, settingsPlans(join(place.root, ".claude", "deep", "er", "settings.json"))));
    expect(readdirSync(join(real, "deep", "er"))).toEqual(["settings.json"]);
    uninstall(place);
    expect(readdirSync(real)).toEqual([]);
    expect(lstatSync(join(place.root, ".claude")).isSymbolicLink()).toBe(true);
  });

  it("treats two paths to one file as one file", () => {
    put(settings, "{}\n");
    const other = join(place.root, "other.json");
    symlinkSync(settings, other);
    const both = [...wish(), ...items(place, settingsPlans(other), "codex")];
    expect(plan(place, both).changes.map(({ file, owners }) => ({ file, owners }))).toEqual([
      {
        file: settings,
        owners: [
          { agent: "claude-code", scope: "project" },
          { agent: "codex", scope: "project" },
        ],
      },
    ]);
    install(place, both);
    expect(readFileSync(settings, "utf8").match(/hook claude-code pre-tool/g)).toHaveLength(1);
    uninstall(place, [], "claude-code");
    expect(readFileSync(settings, "utf8")).toContain("hook claude-code pre-tool");
    uninstall(place, [], "codex");
    expect(readFileSync(settings, "utf8")).toBe("{}\n");
  });

  it("keeps hard links together and permission bits as they are", () => {
    put(settings, "{}\n", 0o640);
    const twin = join(place.root, "twin.json");
    linkSync(settings, twin);
    install(place, wish());
    expect(readFileSync(twin, "utf8")).toContain("turn-end");
    expect(statSync(settings).nlink).toBe(2);
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    uninstall(place);
    expect(readFileSync(twin, "utf8")).toBe("{}\n");
  });

  it("creates what is missing and removes exactly that again", () => {
    const before = picture(place.root);
    install(place, [
      ...wish(),
      ...items(place, [ownFile(join(place.root, ".opencode", "plugins", "holdfast.js"))], "opencode"),
    ]);
    expect(ledgerOf(place).files.map(({ createdDirs }) => createdDirs)).toEqual([
      [join(place.root, ".claude")],
      [join(place.root, ".opencode"), join(place.root, ".opencode", "plugins")],
    ]);
    uninstall(place);
    expect(picture(place.root)).toEqual(before);
  });

  it("leaves a folder it made when somebody else put a file into it", () => {
    install(place, wish());
    put(join(place.root, ".claude", "notes.md"), "mine");
    uninstall(place);
    expect(readdirSync(join(place.root, ".claude"))).toEqual(["notes.md"]);
  });

  it("keeps a folder for the agent that still uses it, and removes it with that one", () => {
    const [first, second] = ["a.js", "b.js"].map((name) => ownFile(join(place.root, ".x", name)));
    install(place, [
      ...items(place, first ? [first] : [], "one"),
      ...items(place, second ? [second] : [], "two"),
    ]);
    uninstall(place, [], "one");
    expect(readdirSync(join(place.root, ".x"))).toEqual(["b.js"]);
    uninstall(place, [], "two");
    expect(existsSync(join(place.root, ".x"))).toBe(false);
  });
});

describe("what is refused, each with its words, while the other files are still planned", () => {
  const cases: Record<string, readonly [prepare: (file: string) => void, code: string, words: RegExp]> = {
    "a folder in the way": [
      (file) => mkdirSync(file, { recursive: true }),
      "HF117",
      /a folder stands where this file belongs/,
    ],
    "a read-only file": [(file) => chmodSync(put(file, "{}"), 0o444), "HF115", /read-only/],
    "a dangling symlink": [
      (file) => {
        mkdirSync(dirname(file));
        symlinkSync("/nowhere/settings.json", file);
      },
      "HF116",
      /symlink to \/nowhere\/settings\.json, which does not exist/,
    ],
    "a symlink in a circle": [
      (file) => {
        mkdirSync(dirname(file));
        symlinkSync(file, file);
      },
      "HF116",
      /leads in a circle/,
    ],
    "a file where a folder belongs": [
      (file) => put(dirname(file), "x"),
      "HF117",
      /\.claude is a file where a folder belongs/,
    ],
    "a huge file": [
      (file) => put(file, `{ "a": "${"x".repeat(5 * 1024 * 1024)}" }`),
      "HF118",
      /5\.0 MB large/,
    ],
  };

  it.each(Object.keys(cases))("%s", (name) => {
    const [prepare, code, words] = cases[name] ?? [() => {}, "", /^$/];
    prepare(settings);
    const before = picture(place.root);
    const made = plan(place, [...wish(), ...items(place, [line(join(place.root, ".gitignore"))])]);
    expect(made.refused.map((found) => [found.code, found.where])).toEqual([
      [code, { file: settings, agent: "claude-code" }],
    ]);
    expect(made.refused[0]?.message).toMatch(words);
    expect(made.changes.map(({ file }) => file)).toEqual([join(place.root, ".gitignore")]);
    expect(picture(place.root)).toEqual(before);
  });
});

describe("all or nothing", () => {
  it("writes nothing when one file changed after the plan was shown", () => {
    put(settings, "{}\n");
    const ignore = put(join(place.root, ".gitignore"), "a\n");
    const made = plan(place, [...wish(), ...items(place, [line(ignore)])]);
    writeFileSync(ignore, "b\n");
    const applied = applyInstall(made, place.site);
    expect(applied).toMatchObject({ written: [], problem: { code: "HF120", where: { file: ignore } } });
    expect(readFileSync(settings, "utf8")).toBe("{}\n");
    expect(ledgerOf(place).files).toEqual([]);
  });

  it("undoes what it wrote when a later write fails", () => {
    put(settings, "{}\n");
    const taken = join(place.root, "new", "holdfast.js");
    const made = plan(place, [
      ...wish(),
      ...items(place, [ownFile(join(place.root, "made", "x.js")), ownFile(taken)]),
    ]);
    const { changes } = made;
    const last = changes.at(-1);
    if (last === undefined || last.step === null) throw new Error("no step");
    // A name longer than any file system takes fails when it is written, not before.
    const step = { ...last.step, real: join(place.root, "new", "x".repeat(300)) };
    const before = picture(place.root);
    const broken = {
      ...made,
      changes: [
        ...changes.slice(0, -1),
        { ...last, step: { ...step, aside: { from: settings, to: join(place.root, "moved.json") } } },
      ],
    };
    const applied = applyInstall(broken, place.site);
    expect(applied.problem).toMatchObject({
      code: "HF123",
      message: "a file could not be written; everything is as it was before",
    });
    expect(picture(place.root)).toEqual(before);
    expect(ledgerOf(place).files).toEqual([]);
  });

  it("waits for another run and then says so", () => {
    const held = takeLock(join(place.site.holdfastHome, "install.lock"), { waitMs: 0 });
    const applied = applyInstall(plan(place, wish()), place.site);
    held?.release();
    expect(applied).toMatchObject({ written: [], problem: { code: "HF122" } });
    expect(existsSync(settings)).toBe(false);
  });

  it("leaves no temp files", () => {
    put(settings, "{}\n");
    install(place, wish());
    uninstall(place);
    expect(Object.keys(picture(place.root))).toEqual([".claude", ".claude/settings.json"]);
  });
});

describe("backups", () => {
  it("keeps the person's bytes once, with their origin, and never ours", () => {
    put(settings, '{ "model": "opus" }\n', 0o600);
    install(place, wish());
    const backup = ledgerOf(place).files[0]?.before?.backup ?? "";
    expect(readBackup(place.site.holdfastHome, backup)?.toString()).toBe('{ "model": "opus" }\n');
    const folder = join(place.site.holdfastHome, "backups");
    expect(JSON.parse(readFileSync(join(folder, `${backup}.json`), "utf8"))).toMatchObject({
      file: settings,
      real: settings,
      mode: 0o600,
      when: "2026-11-30T10:00:00.000Z",
      version: "1.2.3",
    });
    const grown = readFileSync(settings, "utf8").replace("opus", "sonnet");
    writeFileSync(settings, grown);
    rmSync(join(place.site.holdfastHome, "ledger.json"));
    install(
      place,
      items(
        place,
        settingsPlans(settings).map((one) => ({ ...one, value: { ...one.value, more: 1 } })),
      ),
    );
    expect(readdirSync(folder).sort()).toEqual([`${backup}.bytes`, `${backup}.json`]);
  });

  it("does not trust a backup that was tampered with or has no origin", () => {
    put(settings, "{}\n");
    install(place, wish());
    const backup = ledgerOf(place).files[0]?.before?.backup ?? "";
    const file = join(place.site.holdfastHome, "backups", backup);
    writeFileSync(`${file}.bytes`, "evil");
    expect(readBackup(place.site.holdfastHome, backup)).toBeNull();
    rmSync(`${file}.json`);
    expect(readBackup(place.site.holdfastHome, backup)).toBeNull();
  });
});

function ownFile(file: string): FilePlan {
  return { kind: "own-file", file, text: "// holdfast managed file\nexport default 1;\n", mode: 0o644 };
}

function withoutHome(all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith("home/.holdfast")));
}

it("says so when Holdfast cannot write to its own folder", () => {
  put(place.site.holdfastHome, "a file");
  const applied = applyInstall(
    { changes: [], unchanged: [], refused: [], refusedOwners: [], warnings: [], hints: [] },
    place.site,
  );
  expect(applied).toMatchObject({
    written: [],
    problem: { code: "HF123", where: { file: place.site.holdfastHome } },
  });
});
