import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Event } from "../../src/core/event.ts";
import { defaultSettings, type Settings } from "../../src/core/settings.ts";
import type { Tool } from "../../src/core/tool.ts";
import type { World } from "../../src/core/world.ts";
import { guard } from "../../src/policies/guard/index.ts";
import { liveWorld } from "../../src/runtime/context.ts";

let home = "";
let root = "";
let world: World;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-self-")));
  root = join(home, "app");
  mkdirSync(join(home, ".holdfast/bin"), { recursive: true });
  mkdirSync(join(root, "src"), { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: root });
  writeFileSync(join(root, ".git/hooks/pre-commit"), "#!/bin/sh\n# holdfast managed file\n");
  put("app/.opencode/plugins/holdfast.js", "// holdfast\n");
  put("app/.claude/settings.json", '{ "hooks": ["holdfast hook claude-code"] }');
  symlinkSync(join(home, ".holdfast"), join(root, "elsewhere"));
  // The project lies in the temp folder here, which is nobody's treasure to the other rules.
  world = { ...liveWorld(root, root, { CODEX_HOME: join(home, "codex") }, home), tmp: [] };
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** @param path below home */
function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function event(tool: Tool): Event {
  return {
    name: "pre-tool",
    native: "x",
    agent: "any",
    session: "s",
    cwd: root,
    projectHint: null,
    subagent: false,
    callId: null,
    tool,
  };
}

function judge(tool: Tool, settings: Settings = defaultSettings) {
  const { decision, by } = guard(event(tool), settings, world);
  return `${decision} ${by.join()}`.trim();
}

const shell = (command: string): Tool => ({
  kind: "shell",
  name: "x",
  input: {},
  commands: [command],
  workdir: null,
});
const write = (path: string): Tool => ({ kind: "write", name: "x", input: {}, paths: [path] });
const remove = (path: string): Tool => ({ kind: "delete", name: "x", input: {}, paths: [path] });

describe("files that are Holdfast's alone", () => {
  test.each([
    "holdfast.yaml",
    "HOLDFAST.YML",
    "src/holdfast.yaml",
    ".holdfast/state/project.json",
    "~/.holdfast/bin/holdfast",
    "~/.holdfast/journal.jsonl",
    "elsewhere/ledger.json",
    "~/.config/holdfast/holdfast.yaml",
    ".git/hooks/pre-commit",
    ".opencode/plugins/holdfast.js",
    "src/../.opencode/plugins/holdfast.js",
    "~/.config/opencode/plugins/holdfast.js",
  ])("are not changed by a file tool: %s", (path) => {
    expect(judge(write(path.replace("~", home)))).toBe("deny self");
  });

  test.each([
    "echo version: 1 > holdfast.yaml",
    "rm -f ~/.holdfast/bin/holdfast",
    "chmod -x ~/.holdfast/bin/holdfast",
    'rm "$(command -v holdfast)"',
    "mv $(which holdfast) /tmp/x",
    "mv holdfast.yaml holdfast.off",
    "sed -i s/ask/off/ holdfast.yaml",
    "rm holdf*",
    "git rm -q holdfast.yaml",
    "tee .opencode/plugins/holdfast.js < /dev/null",
    "rm -rf .opencode",
    "python3 -c \"open('holdfast.yaml','w').write('')\"",
    "cd src && rm ../holdfast.yaml",
    "ln -sf /dev/null elsewhere/journal.jsonl",
  ])("are not changed by a command: %s", (command) => {
    expect(judge(shell(command))).toBe("deny self");
  });

  test("are not changed by a patch or a delete of their folder", () => {
    const patch = "*** Begin Patch\n*** Delete File: holdfast.yaml\n*** End Patch\n";
    expect([
      judge({ kind: "patch", name: "x", input: {}, patch }),
      judge(remove(join(home, ".holdfast"))),
    ]).toEqual(["deny self", "deny self"]);
  });
});

describe("settings files of agents", () => {
  test.each([
    ".claude/settings.json",
    ".factory/hooks.json",
    "~/.grok/disabled-hooks",
    ".claude/settings.local.json",
    "src/.claude/settings.json",
    ".codex/hooks.json",
    "~/codex/config.toml",
  ])("are the person's to decide about: %s", (path) => {
    expect(judge(write(path.replace("~", home)))).toBe("ask self");
  });

  test.each(["rm -rf .claude", "jq . a > .claude/settings.json", "mv .codex/hooks.json /tmp/"])(
    "also by command: %s",
    (command) => {
      expect(judge(shell(command))).toBe("ask self");
    },
  );
});

describe("folders in the person's home that hold what is Holdfast's", () => {
  beforeAll(() => {
    put(".config/opencode/plugins/holdfast.js", "// holdfast\n");
    put(".config/kilo/plugin/other.js", "");
    put(".claude/settings.json", '{ "hooks": ["holdfast hook claude-code"] }');
    put(".qwen/settings.json", "{}");
  });

  test.each([
    ["mv ~/.config/opencode/plugins /tmp/pp", "deny self"],
    ["mv ~/.config/opencode ~/x", "deny self"],
    ["mv ~/.config ~/x", "deny self"],
    ["rm -rf ~/.config/opencode/plugins", "deny self"],
    ["cd ~/.config && rm -r opencode/", "deny self"],
    ["ln -sfn /tmp/x ~/.config/opencode/plugins/holdfast.js", "deny self"],
    ["chmod 000 ~/.config/opencode/plugins", "deny self"],
    ["chmod -R a-x ~/.config/opencode", "deny self"],
    ["chmod 644 ~/.config/opencode", "deny self"],
    ["mv ~/.claude /tmp/c", "ask self"],
    ["chmod 000 ~/.claude/settings.json", "ask self"],
    ["chmod u-r ~/.claude/settings.json", "ask self"],
    ["chmod -rw ~/.claude/settings.json", "ask self"],
    ["chmod u=w,go= ~/.claude/settings.json", "ask self"],
  ])("do not go with them unseen: %s", (command, expected) => {
    expect(judge(shell(command))).toBe(expected);
  });

  test.each([
    "mv ~/.config/kilo/plugin /tmp/pp",
    "mv ~/.qwen ~/q",
    "mv ~/.pi/agent ~/x",
    "mv ~/.config/opencode/themes /tmp/t",
    "chmod 600 ~/.claude/settings.json",
    "chmod -R go-rwx ~/.claude",
    "chmod -R u+rwX ~/.config",
    "chmod 755 ~/.config/opencode",
    "chmod -x ~/.claude/settings.json",
    "sudo chown -R me ~/.config",
    "cp -r ~/.config/opencode /tmp/copy",
    "mv .config /tmp/c",
    "rm -rf .qwen .pi",
  ])("go where they hold nothing of it, or keep it: %s", (command) => {
    expect(judge(shell(command))).not.toContain("self");
  });

  test("the words name what would go along", () => {
    const reason = (command: string) => guard(event(shell(command)), defaultSettings, world).reason;
    expect([reason("mv ~/.config/opencode /tmp/x"), reason("mv ~/.claude /tmp/x")]).toEqual([
      expect.stringContaining(
        ".config/opencode holds ~/.config/opencode/plugins/holdfast.js, which is Holdfast's own",
      ),
      expect.stringContaining(".claude holds ~/.claude/settings.json, which also holds the hooks"),
    ]);
  });

  test("whatever tool takes them", () => {
    expect([judge(remove(join(home, ".config/opencode"))), judge(remove(join(home, ".qwen")))]).toEqual([
      "deny self",
      "allow",
    ]);
  });
});

describe("switches and the person's commands", () => {
  test.each([
    "HOLDFAST=0 git commit -m x",
    "env HOLDFAST=0 git commit -m x",
    "export HOLDFAST=0; git commit -m x",
    "export HOLDFAST_DISABLE=tests",
    "HOLDFAST_HOME=/nowhere git commit -m x",
    "env -u HOLDFAST_HOME git commit -m x",
    "unset HOLDFAST_HOME",
    "$env:HOLDFAST='0'",
    "[Environment]::SetEnvironmentVariable('HOLDFAST', '0', 'User')",
    "New-Item Env:HOLDFAST -Value 0",
    "Remove-Item Env:\\HOLDFAST_HOME",
    "setx HOLDFAST 0",
    "tmux set-environment -g HOLDFAST 0",
    "systemctl --user set-environment HOLDFAST=0",
    "reg add HKCU\\Environment /v HOLDFAST /t REG_SZ /d 0 /f",
    "Set-ItemProperty HKCU:\\Environment -Name HOLDFAST -Value 0",
    "HOLDFAST_CHILD=1 git commit -m x",
    "bash -c 'HOLDFAST=0 git commit -m x'",
    "holdfast allow k3f9",
    "npx holdfast@latest allow k3f9",
    "node node_modules/holdfast/dist/holdfast.cjs snooze all 1h",
    "node /usr/lib/node_modules/holdfast/dist/cli.js allow k3f9",
    "~/.holdfast/bin/holdfast uninstall --yes",
    "yes | holdfast --cwd . snooze all 1h",
    "npm uninstall -g holdfast",
    'npm pkg set scripts.test="HOLDFAST=0 vitest"',
    "npm pkg set 'scripts.test=HOLDFAST=0 vitest' scripts.build=tsc",
    "npm --prefix packages/web pkg set scripts.pretest='export HOLDFAST_DISABLE=1'",
    "npm set-script test 'HOLDFAST=0 vitest'",
    'pnpm pkg set scripts.test="HOLDFAST=0 vitest"',
    "pnpm -C packages/web pkg set scripts.test='cross-env HOLDFAST=0 vitest'",
    "bun pm pkg set scripts.test='HOLDFAST=0 vitest'",
  ])("are refused: %s", (command) => {
    expect(judge(shell(command))).toBe("deny self");
  });

  test.each(["holdfast install --yes", "holdfast import", "holdfast doctor --fix"])(
    "are asked about: %s",
    (command) => {
      expect(judge(shell(command))).toBe("ask self");
    },
  );
});

describe("everything else", () => {
  test.each([
    "holdfast explain 'rm -rf /'",
    "holdfast doctor",
    "holdfast prove",
    "holdfast install --dry-run",
    "holdfast simulate pre-tool --command 'git push -f'",
    "holdfast",
    "HOLDFAST=1 git status",
    "$env:HOLDFAST; Get-ChildItem Env:HOLDFAST",
    "reg query HKCU\\Environment /v HOLDFAST",
    "Remove-Item HOLDFAST_NOTES.md",
    "cat holdfast.yaml ~/.holdfast/journal.jsonl .claude/settings.json",
    "npx prettier --write '**/*.{json,yaml}'",
    "sed -i s/a/b/ src/*.yaml",
    "git commit -m 'HOLDFAST=0 is refused'",
    "grep -r HOLDFAST_HOME src",
    "npm install holdfast",
    'npm pkg set scripts.test="vitest run" version=1.2.0',
    'npm pkg set scripts.test="HOLDFAST=1 vitest"',
    "npm pkg get scripts.test",
    "pnpm pkg delete scripts.test",
    "rm src/settings.json",
    "git add holdfast.yaml",
  ])("goes through: %s", (command) => {
    expect(judge(shell(command))).toBe("allow");
  });

  test.each(["src/hooks.json", "docs/holdfast.yaml.md", "settings.json", "plugins/holdfast.js"])(
    "%s, too",
    (path) => {
      expect(judge(write(path))).toBe("allow");
    },
  );

  test.each([
    "codex features disable hooks",
    "codex exec -c features.hooks=false 'go on'",
    "codex --disable hooks",
    "claude config set disableAllHooks true",
    "claude --settings '{\"disableAllHooks\":true}' -p x",
    "claude --settings='{\"disableAllHooks\": true}'",
    "npx claude --bare -p x",
    "opencode --pure run x",
    "gemini config set hooksConfig.enabled false",
    "echo 'export HOLDFAST=0' >> ~/.bashrc",
    "printf 'HOLDFAST=0\\n' >> .envrc",
    "cat >> ~/.zshenv <<'E'\nexport HOLDFAST_DISABLE=1\nE",
    "echo 'set -gx HOLDFAST 0' | tee -a ~/.config/fish/config.fish",
    "sed -i '$a export HOLDFAST=off' ~/.profile",
  ])("whatever switches the hooks off later is refused: %s", (command) => {
    expect(judge(shell(command))).toBe("deny self");
  });

  test.each([
    "printf '#!/bin/sh\\nholdfast snooze 10m\\n' > go.sh",
    "cat > /tmp/later <<'E'\nmake && holdfast allow k3f9\nE",
    "echo 'if x; then npx holdfast uninstall; fi' > scripts/clean",
  ])("a script that would run a person's command is asked about: %s", (command) => {
    expect(judge(shell(command))).toBe("ask self");
  });

  test.each([
    "echo 'HOLDFAST=0'",
    "echo 'HOLDFAST=0 switches it off' >> README.md",
    "echo 'export HOLDFAST=1' >> .envrc",
    "echo '# HOLDFAST=0 is refused' >> .envrc",
    "printf 'holdfast snooze 10m\\n' > docs/use.md",
    "cat > test/snooze.test.sh <<'E'\nholdfast snooze 10m\nE",
    "cat > /tmp/msg <<'E'\nholdfast snooze takes hours\nE",
    "echo 'const words = \"Type holdfast allow\";' > src/words.ts",
    "claude -p 'what does disableAllHooks: true do'",
    'claude --settings \'{"model":"x"}\'',
    "codex features list",
    "codex features disable shell_tool",
    "git init --bare",
    "holdfast test --junit report.xml",
  ])("data stays data: %s", (command) => {
    expect(judge(shell(command))).toBe("allow");
  });

  test("a report of the tests is a file like any other", () => {
    expect([
      judge(shell("holdfast test --junit holdfast.yaml")),
      judge(shell("holdfast test --junit=.env")),
      judge(shell("holdfast test --junit .github/workflows/ci.yml")),
    ]).toEqual(["deny self", "deny protect", "deny protect"]);
  });

  test("the words name the command that does it, or no command at all", () => {
    const reason = (command: string) => guard(event(shell(command)), defaultSettings, world).reason;
    expect([reason("mkdir -p x && echo a > holdfast.yaml"), reason("> holdfast.yaml")]).toEqual([
      expect.stringMatching(/^`echo a`: holdfast\.yaml is Holdfast's own/),
      expect.stringMatching(/^`holdfast\.yaml`: holdfast\.yaml is Holdfast's own/),
    ]);
  });

  test("protect.holdfast: false switches it off", () => {
    const open = { ...defaultSettings, protect: { ...defaultSettings.protect, holdfast: false } };
    expect([
      judge(write("holdfast.yaml"), open),
      judge(shell("holdfast allow k3f9"), open),
      judge(shell("HOLDFAST=0 git commit -m x"), open),
    ]).toEqual(["allow", "allow", "allow"]);
  });
});
