import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { AgentId } from "../../src/agents/ids.ts";
import { agents } from "../../src/agents/index.ts";
import { eventNames } from "../../src/core/event.ts";
import { nameOfCall, readShapes } from "../../src/prove/recorder.ts";
import { compareShapes, fieldsRead, shapeOf } from "../../src/prove/shape.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const folder = join(root, "lab", "shapes");
const ids = readdirSync(folder).map((name) => name.replace(/\.json$/, "") as AgentId);

// What the lab saw in the real programs, and the payloads that the parsers are tested with.
describe.each(ids)("%s: the shapes the lab knows", (id) => {
  const known = readShapes(join(folder, `${id}.json`));
  const recorded = recordedOf(id, known?.version ?? "");

  it("are those of the recorded payloads of the same version", () => {
    const drift = Object.entries(known?.events ?? {}).flatMap(([name, shape]) => {
      const payloads = recorded.get(name) ?? [];
      if (payloads.length === 0) return [];
      const here = shapeOf(payloads);
      const reads = (path: string) => isRead(id, payloads, path);
      const { failures } = compareShapes(here, shape, reads);
      // Either may have seen more than the other, but not something else.
      const odd = compareShapes(shape, here, reads).failures;
      return odd.length > 0 || failures.some(isMissing) ? failures.map((words) => `${name}: ${words}`) : [];
    });
    expect(drift).toEqual([]);
  });

  it("have a recorded payload for every event", () => {
    const nativeOf = (name: string) => name.split(" ")[0];
    const events = new Set([...recorded.keys()].map(nativeOf));
    // What our parser has nothing to say to goes by our own name for the event.
    const heard = Object.keys(known?.events ?? {}).filter((name) => !isCanonical(name));
    const without = heard.filter((name) => !events.has(nativeOf(name)));
    expect(without).toEqual([]);
  });
});

function isMissing(words: string): boolean {
  return words.endsWith("missing");
}

function isCanonical(name: string): boolean {
  return eventNames.some((known) => known === name);
}

/** The recorded payloads of one version by the agent's own name for event and tool. */
function recordedOf(id: AgentId, version: string): Map<string, unknown[]> {
  const from = join(root, "test", "agents", id, "fixtures", version);
  const found = new Map<string, unknown[]>();
  for (const file of existsSync(from) ? readdirSync(from) : []) {
    if (file === "events.json") continue;
    const payload: unknown = JSON.parse(readFileSync(join(from, file), "utf8"));
    const [event = ""] = file.split(".");
    const name = nameOfCall(agents[id], event, payload);
    found.set(name, [...(found.get(name) ?? []), payload]);
  }
  return found;
}

function isRead(id: AgentId, payloads: readonly unknown[], path: string): boolean {
  return payloads.some((payload) =>
    fieldsRead(payload, (watched) => nameOfCall(agents[id], "", watched)).has(path),
  );
}
