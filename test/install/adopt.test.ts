import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { adoptMoved } from "../../src/install/adopt.ts";
import { projectItems } from "../../src/install/project.ts";
import { createPlace, install, items, ledgerOf, type Place, put, settingsPlans } from "./support/place.ts";

let place: Place;
let elsewhere: string;
beforeEach(() => {
  place = createPlace();
  elsewhere = `${place.root}-moved`;
  const settings = join(place.root, ".claude", "settings.json");
  put(settings, '{ "model": "opus" }\n');
  install(place, [...items(place, settingsPlans(settings)), ...projectItems(place.root, "project")]);
});
afterEach(() => rmSync(dirname(place.root), { recursive: true, force: true }));

const adopt = (root: string | null) => adoptMoved(ledgerOf(place), { root });
const roots = (ledger: ReturnType<typeof ledgerOf>) =>
  ledger.files.map(({ root, file, real, createdDirs }) => [root, file, real, ...createdDirs]);

test("the record follows the files, with every path in it", () => {
  const before = roots(ledgerOf(place));
  renameSync(place.root, elsewhere);
  const { ledger, from } = adopt(elsewhere);
  expect(from).toBe(place.root);
  expect(roots(ledger)).toEqual(
    before.map((paths) => paths.map((path) => path?.replace(place.root, elsewhere))),
  );
});

test("the original still stands: nothing is taken over, here or there", () => {
  for (const root of [elsewhere, place.root, null])
    expect(adopt(root)).toEqual({ ledger: ledgerOf(place), from: null });
});

test("one file that was edited since does not hide the move; another project with one like file is no move", () => {
  renameSync(place.root, elsewhere);
  const ignore = join(elsewhere, ".gitignore");
  writeFileSync(ignore, `${readFileSync(ignore, "utf8")}dist/\n`);
  expect(adopt(elsewhere).from).toBe(place.root);
  rmSync(join(elsewhere, ".claude"), { recursive: true });
  expect(adopt(elsewhere).from).toBeNull();
});
