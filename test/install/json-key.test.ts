import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setup as cursor } from "../../src/agents/cursor/setup.ts";
import { setup as kiro } from "../../src/agents/kiro/setup.ts";
import { removeJsonKey } from "../../src/install/edit/json-key.ts";
import { itemsFor } from "../../src/install/plan.ts";
import { createPlace, install, type Place, plan, put, uninstall } from "./support/place.ts";

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => rmSync(dirname(place.root), { recursive: true, force: true }));

const of = (setup: typeof cursor | typeof kiro) =>
  itemsFor([{ setup, scope: "project" }], place.site.machine);

describe("a key that the agent wants in its file", () => {
  it("goes with a file that held nothing else", () => {
    install(place, of(kiro));
    const file = join(place.root, ".kiro", "hooks", "holdfast.json");
    expect(JSON.parse(readFileSync(file, "utf8")).version).toBe("v1");
    expect(plan(place, of(kiro)).changes).toEqual([]);
    uninstall(place);
    expect(existsSync(join(place.root, ".kiro"))).toBe(false);
  });

  it("stays when the person put hooks of their own into the file since", () => {
    install(place, of(cursor));
    const file = join(place.root, ".cursor", "hooks.json");
    const config = JSON.parse(readFileSync(file, "utf8"));
    config.hooks.stop.push({ command: "./mine.sh" });
    writeFileSync(file, JSON.stringify(config, null, 2));
    uninstall(place);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      version: 1,
      hooks: { stop: [{ command: "./mine.sh" }] },
    });
  });

  it("is left to the person who had it before, whatever its value", () => {
    const file = put(join(place.root, ".cursor", "hooks.json"), Buffer.from('{"version": 2}\n'), 0o644);
    install(place, of(cursor));
    expect(JSON.parse(readFileSync(file, "utf8")).version).toBe(2);
    uninstall(place);
    expect(readFileSync(file, "utf8")).toBe('{"version": 2}\n');
  });

  it.each([
    ['{"version": 1}', "{}"],
    ['{"version": 1, "hooks": {}}', '{"hooks": {}}'],
    ['{"version": 1, "hooks": {"a": 1}}', '{"version": 1, "hooks": {"a": 1}}'],
    ['{"version": 1, "other": 1}', '{"version": 1, "other": 1}'],
    ["[]", "[]"],
    ["", ""],
  ])("without a ledger: %s becomes %s", (before, after) => {
    expect(removeJsonKey(before, "version")?.text).toBe(after);
  });

  it("touches nothing that does not parse", () => {
    expect(removeJsonKey('{"version": ', "version")).toBe(null);
  });

  it.each([
    ['{"version": ', "HF104"],
    ["[]", "HF110"],
  ])("is refused in %s", (text, code) => {
    put(join(place.root, ".cursor", "hooks.json"), Buffer.from(text), 0o644);
    expect(plan(place, of(cursor)).refused.map((found) => found.code)).toEqual([code]);
  });
});
