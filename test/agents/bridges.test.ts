import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalog } from "../../src/agents/catalog.ts";
import type { AgentSetup } from "../../src/core/setup.ts";

const machine = { home: "/home/dev", root: "/p", env: {}, platform: "linux", gitHooks: null };
const bridges = Object.values<AgentSetup>(catalog).flatMap((setup) =>
  setup
    .files("user", machine)
    .flatMap((plan) => (plan.kind === "own-file" && plan.file.endsWith(".js") ? [{ setup, plan }] : [])),
);

let folder: string;
const before = { ...process.env };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-bridges-"));
  process.env.HOLDFAST_HOME = folder;
});
afterAll(() => {
  process.env = { ...before };
  rmSync(folder, { recursive: true, force: true });
});

// A bridge is one file in somebody else's program. What is tested here is the text that gets installed.
describe.each(bridges.map(({ setup, plan }) => [setup.agent.id, plan] as const))(
  "%s's bridge",
  (id, plan) => {
    it("imports nothing but Node's own modules", () => {
      const imported = [...plan.text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
      expect(imported.filter((name) => !builtinModules.includes(String(name).replace("node:", "")))).toEqual(
        [],
      );
      expect(plan.text.match(/\bimport\(|\brequire\(/g)).toBe(null);
    });

    it("loads, and exports one thing only", async () => {
      const file = join(folder, `${id}.mjs`);
      writeFileSync(file, plan.text);
      const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      expect(Object.keys(module)).toEqual(["default"]);
    });

    it("carries the mark by which it is known as ours", () => {
      expect(plan.text.split("\n")[0]).toBe("// holdfast managed file");
    });
  },
);

it("there are bridges to look at", () => {
  expect(bridges.map(({ setup }) => setup.agent.id)).toEqual(
    expect.arrayContaining(["kilo", "opencode", "pi"]),
  );
});
