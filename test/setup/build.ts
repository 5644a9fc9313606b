import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Bundles the product once per test run into a folder of its own, so that tests drive what ships. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-dist-"));
  const dist = join(folder, "dist");
  const script = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script], {
    env: { ...process.env, HOLDFAST_DIST: dist },
    encoding: "utf8",
  });
  if (status === 0) process.env.HOLDFAST_TEST_DIST = dist;
  else process.env.HOLDFAST_TEST_DIST_ERROR = stderr;
  return () => rmSync(folder, { recursive: true, force: true });
}
