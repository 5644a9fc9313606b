import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { programVersion } from "../../src/install/program-version.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-version-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, text = "#!/bin/sh\n"): string {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

function link(path: string, to: string): string {
  const file = join(base, path);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(to, file);
  return file;
}

it("a program in a package has the package's version, without the platform", () => {
  put("lib/node_modules/@openai/codex/package.json", '{ "version": "0.171.0-linux-x64" }');
  put("lib/node_modules/@openai/codex/vendor/package.json", '{ "version": "9.9.9" }');
  const program = put("lib/node_modules/@openai/codex/vendor/bin/codex");
  expect(programVersion(link("bin/codex", program), ["codex"])).toBe("0.171.0");
  put("lib/node_modules/opencode-ai/package.json", '{ "version": "1.18.33-beta.2" }');
  const other = put("lib/node_modules/opencode-ai/bin/opencode");
  expect(programVersion(other, ["opencode"])).toBe("1.18.33-beta.2");
});

it("of two packages on the way the inner one counts", () => {
  put("node_modules/outer/package.json", '{ "version": "1.0.0" }');
  put("node_modules/outer/node_modules/inner/package.json", '{ "version": "2.0.0" }');
  expect(programVersion(put("node_modules/outer/node_modules/inner/run"), ["run"])).toBe("2.0.0");
});

it("a folder or a file named after a version counts below a folder of the program's name", () => {
  const native = put("share/claude/versions/2.1.332");
  expect(programVersion(link("bin/claude", native), ["claude-code", "claude"])).toBe("2.1.332");
  const cask = put("Cellar/gemini-cli/v0.61.0/libexec/gemini");
  expect(programVersion(link("bin/gemini", cask), ["gemini"])).toBe("0.61.0");
});

it("the version of something else on the way is not the program's", () => {
  const wrapper = put(".nvm/versions/node/v22.11.0/bin/pi");
  expect(programVersion(wrapper, ["pi"])).toBeNull();
  put("pixi/package.json", '{ "version": "3.0.0" }');
  expect(programVersion(put("pixi/1.2.3/bin/pi"), ["pi"])).toBeNull();
});

it("a damaged package, one without a version and a program that is gone tell nothing", () => {
  put("node_modules/a/package.json", "{ oops");
  put("node_modules/b/package.json", '{ "version": 3 }');
  expect(
    [put("node_modules/a/run"), put("node_modules/b/run"), join(base, "gone")].map((file) =>
      programVersion(file, ["run"]),
    ),
  ).toEqual([null, null, null]);
});
