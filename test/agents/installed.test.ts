import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { agentIds } from "../../src/agents/ids.ts";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";
import { picture } from "../install/support/place.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
  mkdirSync(join(place.home, ".config"));
});
afterEach(() => place.remove());

const agents = agentIds.filter((id) => id !== "git").join(",");

// Every agent at once, with the built program behind the launcher: doctor runs each installed command from end to
// end, as a shell would, and each must stop a write to a protected file.
it.each(["user", "project"])(
  "every agent in %s scope: each command refuses, and all of it goes",
  async (scope) => {
    const before = picture(place.home);
    const { code } = await holdfast(place, ["install", "--yes", "--agent", agents, "--scope", scope]);
    expect(code).toBe(0);
    const { json } = await envelopeOf(place, ["doctor"], {});
    const faults = (json.findings as { code: string; agent: string; message: string }[]).filter((found) =>
      found.code.startsWith("HF1"),
    );
    expect(faults).toEqual([]);
    await holdfast(place, ["uninstall", "--yes"]);
    expect(withoutOurs(picture(place.home))).toEqual(before);
  },
  120_000,
);

/** The record of what happened stays, in Holdfast's own folder. */
function withoutOurs(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(".holdfast")));
}
