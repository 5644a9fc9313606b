import { expect, test } from "vitest";
import { languageOf } from "../../src/shell/code/languages.ts";
import { familyOf } from "../../src/shell/code/names.ts";
import { cmdletName, cmdlets } from "../../src/shell/windows/cmdlet.ts";
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
