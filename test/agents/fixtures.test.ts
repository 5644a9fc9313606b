import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { agentIds } from "../../src/agents/ids.ts";
import { agents } from "../../src/agents/index.ts";

const here = dirname(fileURLToPath(import.meta.url));

// Payloads recorded from the real programs, by version, each beside the whole event it must become; in folders
// named `documented-…` they are written by the vendor's documentation, its source, or published captures. A new
// payload needs its event written down in `events.json` of its folder. Its name begins with the agent's own
// event name, which some agents tell on the command line only.
describe.each(agentIds.filter((id) => agents[id].payload === "stdin"))("%s reads what was recorded", (id) => {
  for (const version of versions(id)) {
    const folder = join(here, id, "fixtures", version);
    const expected: Record<string, unknown> = JSON.parse(readFileSync(join(folder, "events.json"), "utf8"));
    const recorded = readdirSync(folder).filter((name) => name !== "events.json");

    it(`${version}: every recorded payload has its event`, () => {
      expect(Object.keys(expected).sort()).toEqual(recorded.sort());
    });

    it.each(recorded)(`${version}: %s`, (name) => {
      const payload: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
      const [event = null] = name.split(".");
      const call = { event, argv: [], env: {}, cwd: "/home/dev/project" };
      expect(agents[id].parse(payload, call)).toEqual(expected[name]);
    });
  }
});

function versions(id: string): string[] {
  const folder = join(here, id, "fixtures");
  return existsSync(folder) ? readdirSync(folder) : [];
}
