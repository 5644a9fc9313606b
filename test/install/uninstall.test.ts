import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FilePlan } from "../../src/core/setup.ts";
import { applyInstall } from "../../src/install/apply.ts";
import { homeInsideProject, readLedger } from "../../src/install/ledger.ts";
import { manifestItem, projectItems } from "../../src/install/project.ts";
import { planUninstall } from "../../src/install/uninstall.ts";
import {
  command,
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

const wish = (more = {}) => items(place, settingsPlans(settings, more));
const now = () => readFileSync(settings, "utf8");
const edit = (change: (text: string) => string) => writeFileSync(settings, change(now()));
const levels = (known = wish()) => uninstall(place, known).removals.map(({ level }) => level);
const users = `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "theirs" }] }
    ]
  }
}
`;

describe("how exact the removal is", () => {
  it("span: the file changed elsewhere", () => {
    put(settings, users);
    install(place, wish());
    edit((text) => text.replace('"hooks"', '"model": "opus",\n  "hooks"'));
    expect(levels()).toEqual(["span"]);
    expect(now()).toBe(users.replace('"hooks"', '"model": "opus",\n  "hooks"'));
  });

  it("structural: somebody formatted the file", () => {
    put(settings, users);
    install(place, wish());
    edit((text) => JSON.stringify(JSON.parse(text), null, 4));
    expect(levels()).toEqual(["structural"]);
    expect(now()).toBe(JSON.stringify(JSON.parse(users), null, 4));
  });

  it("structural: an entry of the person stands in the list we made", () => {
    put(settings, "{}\n");
    install(place, wish());
    edit((text) => text.replace(/(turn-end[^}]*\}\s*\]\s*\})/, '$1,\n      { "hooks": [] }'));
    expect(levels()).toEqual(["structural"]);
    expect(JSON.parse(now())).toEqual({ hooks: { Stop: [{ hooks: [] }] } });
  });

  it("structural: our command moved into the person's own group, which stays", () => {
    put(settings, users);
    install(place, wish());
    const ours = { type: "command", command, timeout: 30 };
    const merged = {
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "theirs" }, ours] }] },
    };
    edit(() => JSON.stringify(merged, null, 2));
    expect(levels()).toEqual(["structural"]);
    expect(JSON.parse(now())).toEqual(JSON.parse(users));
  });

  it("gone: the entries, or the whole file, are not there any more", () => {
    put(settings, users);
    install(place, wish());
    edit(() => users);
    expect(levels()).toEqual(["gone"]);
    expect(now()).toBe(users);
    install(place, wish());
    rmSync(settings);
    expect(levels()).toEqual(["gone"]);
    expect(existsSync(settings)).toBe(false);
    expect(ledgerOf(place).files).toEqual([]);
  });

  it("a file we created stays when the person has put something into it, and goes when not", () => {
    install(place, wish());
    edit((text) => text.replace("{", '{\n  "model": "opus",'));
    expect(levels()).toEqual(["structural"]);
    expect(now()).toBe('{\n  "model": "opus"\n}\n');
    rmSync(settings);
    install(place, wish());
    edit((text) => JSON.stringify(JSON.parse(text)));
    expect(levels()).toEqual(["structural"]);
    expect(existsSync(settings)).toBe(false);
  });

  it("never by substring: a command that contains ours stays", () => {
    const alike = { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: `${command} # mine` }] }] } };
    put(settings, JSON.stringify(alike, null, 2));
    install(place, wish());
    edit((text) => JSON.stringify(JSON.parse(text)));
    expect(levels()).toEqual(["structural"]);
    expect(JSON.parse(now())).toEqual(alike);
  });

  it("a file that no longer parses is left alone, and the rest goes", () => {
    put(settings, users);
    const ignore = put(join(place.root, ".gitignore"), "a\n");
    install(place, [...wish(), ...items(place, [{ kind: "lines", file: ignore, lines: ["ours"] }])]);
    edit((text) => `${text}}`);
    const broken = now();
    const made = uninstall(place);
    expect(made.refused.map(({ code, where }) => [code, where.file, where.line])).toEqual([
      ["HF104", settings, 29],
    ]);
    expect(now()).toBe(broken);
    expect(readFileSync(ignore, "utf8")).toBe("a\n");
    expect(ledgerOf(place).files.map(({ file }) => file)).toEqual([settings]);
  });

  it("a second uninstall finds nothing to do", () => {
    put(settings, users);
    install(place, wish());
    uninstall(place, wish());
    expect(uninstall(place, wish())).toEqual({ removals: [], refused: [], warnings: [], stateFolders: [] });
  });

  it("joins no lines of an ignore file that ended without a line break", () => {
    const ignore = put(join(place.root, ".gitignore"), "first");
    install(place, items(place, [{ kind: "lines", file: ignore, lines: ["ours"] }]));
    writeFileSync(ignore, `${readFileSync(ignore, "utf8")}second\n`);
    uninstall(place);
    expect(readFileSync(ignore, "utf8")).toBe("first\nsecond\n");
  });
});

describe("installs one after the other", () => {
  it("an edit between two installs survives, and the end is exact again", () => {
    put(settings, users);
    const [first] = wish();
    install(place, first ? [first] : []);
    edit((text) => text.replace("theirs", "theirs 2"));
    install(place, wish());
    expect(levels()).toEqual(["exact"]);
    expect(now()).toBe(users.replace("theirs", "theirs 2"));
  });

  it("a new form of our entry takes the old one's place", () => {
    put(settings, users.replace("}]\n    ]", '}]\n    ],\n    "Stop": []'));
    const original = now();
    install(place, wish());
    const later = settingsPlans(settings).map((one) => ({
      ...one,
      value: { ...one.value, matcher: "later" },
    }));
    install(place, items(place, later));
    expect(JSON.parse(now()).hooks.PreToolUse.map((entry: { matcher: string }) => entry.matcher)).toEqual([
      "Bash",
      "later",
    ]);
    expect(levels()).toEqual(["exact"]);
    expect(now()).toBe(original);
  });

  it("a run that was killed after the ledger and before the files is simply repeated", () => {
    put(settings, users);
    install(place, wish());
    edit(() => users);
    install(place, wish());
    expect(levels()).toEqual(["exact"]);
    expect(now()).toBe(users);
  });

  it("install, uninstall, edit, install again: the later text is what comes back", () => {
    put(settings, users);
    install(place, wish());
    uninstall(place);
    edit((text) => text.replace("theirs", "changed"));
    install(place, wish());
    uninstall(place);
    expect(now()).toBe(users.replace("theirs", "changed"));
  });
});

describe("without the ledger", () => {
  it("finds entries by exact command and files by their header", () => {
    const bridge = join(place.root, "bridge.js");
    const all = [...wish(), ...items(place, [own(bridge)])];
    put(settings, users);
    install(place, all);
    rmSync(place.site.holdfastHome, { recursive: true });
    const made = uninstall(place, all);
    expect(made.removals.map(({ file, level, words }) => ({ file, level, words }))).toEqual([
      {
        file: settings,
        level: "structural",
        words: "not in the ledger: recognised by the exact command, line or header",
      },
      {
        file: bridge,
        level: "exact",
        words: "not in the ledger: recognised by the exact command, line or header",
      },
    ]);
    expect(now()).toBe(users);
    expect(existsSync(bridge)).toBe(false);
  });

  it("a damaged ledger is never taken for an empty one", () => {
    put(settings, users);
    install(place, wish());
    const file = join(place.site.holdfastHome, "ledger.json");
    for (const content of [
      "",
      "{",
      "[]",
      "{}",
      '{"schema":2,"files":[]}',
      '{"schema":1,"files":[{"file":"/x"}]}',
    ]) {
      writeFileSync(file, content);
      expect(readLedger(place.site.holdfastHome)).toMatchObject({ code: "HF121", where: { file } });
      const made = { changes: [], unchanged: [], refused: [], refusedOwners: [], warnings: [], hints: [] };
      expect(applyInstall(made, place.site)).toMatchObject({ written: [], problem: { code: "HF121" } });
      expect(readFileSync(file, "utf8")).toBe(content);
    }
  });

  it("a ledger inside the project is refused: whoever commits could write it", () => {
    const { root, home, site } = place;
    expect(homeInsideProject(join(root, ".holdfast"), root, home)?.code).toBe("HF127");
    expect(homeInsideProject(root, root, home)?.code).toBe("HF127");
    expect(homeInsideProject(join(root, "..", "elsewhere"), root, home)).toBeNull();
    expect(homeInsideProject(join(home, ".holdfast"), home, home)).toBeNull();
    const made = plan(place, wish());
    expect(applyInstall(made, { ...site, holdfastHome: join(root, ".state") })).toMatchObject({
      problem: { code: "HF127" },
    });
    expect(existsSync(join(root, ".state"))).toBe(false);
  });
});

describe("what moved", () => {
  it("a home folder that moved: the same place below the new one is cleaned, and it says so", () => {
    const file = put(join(place.home, ".claude", "settings.json"), users);
    install(place, items(place, settingsPlans(file), "claude-code", "user"));
    const home = join(dirname(place.home), "renamed");
    renameSync(place.home, home);
    const moved: Place = {
      ...place,
      home,
      site: {
        ...place.site,
        holdfastHome: join(home, ".holdfast"),
        machine: { ...place.site.machine, home },
      },
    };
    const made = uninstall(moved);
    expect(made.warnings.map(({ code }) => code)).toEqual(["HF126"]);
    expect(made.removals.map(({ level }) => level)).toEqual(["exact"]);
    expect(readFileSync(join(home, ".claude", "settings.json"), "utf8")).toBe(users);
  });

  it("a symlink that became a file is cleaned where the agent reads it, with a warning", () => {
    const dotfile = put(join(place.home, "dotfiles", "settings.json"), users);
    mkdirSync(dirname(settings));
    symlinkSync(dotfile, settings);
    install(place, wish());
    rmSync(settings);
    cpSync(dotfile, settings);
    const made = uninstall(place);
    expect(made.warnings.map(({ code, hint }) => [code, hint])).toEqual([
      ["HF107", `look at ${dotfile} as well`],
    ]);
    expect(now()).toBe(users);
  });

  it("warns when an entry behind ours moves up and the agent counts positions", () => {
    put(settings, users);
    install(place, wish({ positional: true }));
    edit((text) => text.replace(/\n {4}\],\n {4}"Stop"/, ',\n      { "hooks": [] }\n    ],\n    "Stop"'));
    const made = uninstall(place);
    expect(made.warnings.map(({ code }) => code)).toEqual(["HF125"]);
    expect(JSON.parse(now()).hooks.PreToolUse).toEqual([
      ...JSON.parse(users).hooks.PreToolUse,
      { hooks: [] },
    ]);
  });
});

describe("files that are ours", () => {
  it("an edited one is not replaced or removed without asking", () => {
    const file = join(place.root, "bridge.js");
    install(place, items(place, [own(file)]));
    writeFileSync(file, readFileSync(file, "utf8").replace("1", "2"));
    const edited = readFileSync(file, "utf8");
    expect(
      plan(place, items(place, [own(file)])).refused.map(({ code, fixable }) => [code, fixable]),
    ).toEqual([["HF102", true]]);
    expect(uninstall(place).refused.map(({ code }) => code)).toEqual(["HF102"]);
    expect(readFileSync(file, "utf8")).toBe(edited);
    const agreed = plan(place, items(place, [own(file)]), [file]);
    applyInstall(agreed, place.site);
    expect(readFileSync(file, "utf8")).not.toBe(edited);
    writeFileSync(file, edited);
    const { machine, holdfastHome } = place.site;
    const removal = planUninstall({
      ledger: ledgerOf(place),
      leaving: () => true,
      items: [],
      machine,
      holdfastHome,
      agreed: new Set([file]),
    });
    expect(removal.removals.map(({ level }) => level)).toEqual(["exact"]);
  });

  it("one whose line endings git turned is not edited", () => {
    const file = join(place.root, "bridge.js");
    install(place, items(place, [own(file)]));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    uninstall(place);
    expect(existsSync(file)).toBe(false);
  });

  it("a foreign one is never touched", () => {
    const file = put(join(place.root, "bridge.js"), "export default mine;\n");
    expect(plan(place, items(place, [own(file)])).refused.map(({ code }) => code)).toEqual(["HF114"]);
    expect(uninstall(place, items(place, [own(file)]))).toMatchObject({ removals: [], refused: [] });
    expect(readFileSync(file, "utf8")).toBe("export default mine;\n");
  });
});

describe("what belongs to the project as a whole", () => {
  it("stays with the last agent and goes with it, run state included, to the byte", () => {
    put(join(place.root, ".gitignore"), "node_modules");
    const before = picture(place.root);
    const manifest = manifestItem(join(place.root, "holdfast.yaml"), "version: 1\n", null, place.root);
    const two = [...wish(), ...items(place, [own(join(place.root, "bridge.js"))], "opencode")];
    install(place, [...two, ...projectItems(place.root, "project"), manifest]);
    put(join(place.root, ".holdfast", "state", "project.json"), "{}");
    uninstall(place, [], "claude-code");
    expect(existsSync(settings)).toBe(false);
    expect(readFileSync(join(place.root, ".gitignore"), "utf8")).toBe(
      "node_modules\n.holdfast/\n*.holdfast-*\n",
    );
    expect(existsSync(join(place.root, ".holdfast", "state", "project.json"))).toBe(true);
    uninstall(place, [], "opencode");
    expect(picture(place.root)).toEqual(before);
    expect(ledgerOf(place).files).toEqual([]);
  });

  it("an uninstall elsewhere leaves a manifest that was kept", () => {
    const manifest = join(place.root, "holdfast.yaml");
    install(place, [manifestItem(manifest, "version: 1\n", null, place.root)]);
    uninstall(place, [], "claude-code");
    expect(existsSync(manifest)).toBe(true);
  });

  it("a manifest comes back as it was, or stays when it was edited since", () => {
    const manifest = put(join(place.root, "holdfast.yaml"), "version: 1 # mine\n");
    const wizard = () => [
      ...wish(),
      manifestItem(manifest, "version: 1 # mine\ntests: {}\n", readFileSync(manifest, "utf8"), place.root),
    ];
    install(place, wizard());
    uninstall(place);
    expect(readFileSync(manifest, "utf8")).toBe("version: 1 # mine\n");
    install(place, wizard());
    writeFileSync(manifest, "version: 1\ntests: { command: make }\n");
    expect(uninstall(place).removals.map(({ level }) => level)).toEqual(["exact", "kept"]);
    expect(readFileSync(manifest, "utf8")).toBe("version: 1\ntests: { command: make }\n");
  });

  it("a manifest that changed while the wizard asked is not written", () => {
    const manifest = put(join(place.root, "holdfast.yaml"), "version: 1\n");
    const made = plan(place, [manifestItem(manifest, "new", "old", place.root)]);
    expect(made.refused.map(({ code }) => code)).toEqual(["HF120"]);
  });
});

function own(file: string): FilePlan {
  return { kind: "own-file", file, text: "// holdfast managed file\nexport default 1;\n", mode: 0o644 };
}
