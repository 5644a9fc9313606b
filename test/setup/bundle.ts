import { join } from "node:path";

/** Path of the bundled program of this test run. */
export function bundle(): string {
  const dist = process.env.HOLDFAST_TEST_DIST;
  if (dist === undefined)
    throw new Error(`the bundle could not be built: ${process.env.HOLDFAST_TEST_DIST_ERROR}`);
  return join(dist, "holdfast.cjs");
}
