import { expect, test } from "vitest";
import { languageOf } from "../../src/shell/code/languages.ts";
import { familyOf } from "../../src/shell/code/names.ts";
import { cmdletName, cmdlets } from "../../src/shell/windows/cmdlet.ts";
import { looksWindows } from "../../src/shell/windows/looks.ts";
import { anywhere, maybeCmdlet } from "../../src/shell/windows/names.ts";

// What is not the shell's own language is loaded only for programs whose names say so.

test("every name that counts as a cmdlet may be one", () => {
  const names = [...Object.keys(cmdlets), ...Object.keys(anywhere), "Get-Content", "IWR"];
  const missed = names.filter((name) => cmdletName(name) !== null && !maybeCmdlet(name));
  expect({ many: names.length > 40, missed }).toEqual({ many: true, missed: [] });
  expect(["npm", "apt-get", "docker-compose", "constructor", ""].filter(maybeCmdlet)).toEqual([]);
});

test("a program has a language when its name is that of an interpreter", () => {
  const names =
    "python python3 python3.12 node bun perl5.36 ruby php8.2 awk lua5.4 Rscript swift iex npm ls git constructor toString".split(
      " ",
    );
  const known = names.filter((name) => languageOf(name) !== null);
  expect(known).toEqual(names.filter((name) => familyOf(name) !== null));
  expect(known).toEqual(names.slice(0, -5));
});

const world = {
  root: "/a",
  cwd: "/a",
  home: "/h",
  tmp: ["/tmp"],
  platform: "linux",
  realpath: (path: string) => path,
};

test.each([
  "Get-Content a.txt",
  "ls; remove-item x",
  "ls | ForEach-Object { $_ }",
  "1..3 | % { $_ }",
  "[IO.File]::Delete('a')",
  "echo $env:PATH",
  "$x = 1",
  "iwr https://example.com",
  "(iex(x))",
  "del a.txt",
  "rd/s/q build",
  "mkdir /q a",
  "rmdir a\\b",
  "type C:\\a",
  "if not exist a copy b c",
  "if defined X ls",
  "for %i in (a) do ls",
  "set A=1",
  "ls a | rm",
  "reg delete HKCU\\a",
  "cat .\\a",
])("reads like PowerShell or cmd: %s", (text) => {
  expect(looksWindows(text, world)).toBe(true);
});

test.each([
  "git push origin main",
  "mkdir -p a/b",
  "type ls",
  "rename s/a/b/ *.txt",
  "set -euo pipefail",
  "npm run build -- --out=x",
  "apt-get install x",
  "a=1; b=2",
  "cargo fmt && git mv a b",
])("reads like a shell's text: %s", (text) => {
  expect(looksWindows(text, world)).toBe(false);
});
