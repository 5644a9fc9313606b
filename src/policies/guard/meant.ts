import type { Touch } from "../../shell/analyse.ts";
import { asGlob, BRACKET, hasGlob } from "../../shell/marks.ts";
import type { Files } from "../context.ts";
import { startOf } from "./commands/sweep.ts";

/**
 * What the touches of a command line come to here, besides what they say: `app/[id]` is a folder of that name where
 * there is one, and what was moved before goes with the place that it was moved to.
 */
export function meant(touches: readonly Touch[], files: Files): readonly Touch[] {
  return touches.flatMap((touch) =>
    touch.action === "read" ? [touch] : [touch, ...named(touch, files), ...moved(touch, touches)],
  );
}

/** A shell leaves a pattern as it is where no name fits. */
function named(touch: Touch, files: Files): Touch[] {
  if (!touch.marked.includes(BRACKET)) return [];
  const marked = touch.marked.replaceAll(BRACKET, "[");
  const glob = hasGlob(marked);
  const plain = { ...touch, marked, glob, path: glob ? asGlob(marked) : marked };
  return files.exists(startOf(plain)) ? [plain] : [];
}

function moved(touch: Touch, touches: readonly Touch[]): Touch[] {
  if (touch.action !== "delete" || touch.glob) return [];
  const goes = ({ path }: Touch) => path === touch.path || (touch.tree && path.startsWith(`${touch.path}/`));
  const arrived = touches.filter((one) => one.action === "write" && one.step < touch.step && goes(one));
  const steps = new Set(arrived.map(({ step }) => step));
  return touches
    .filter((one) => one.action === "move" && steps.has(one.step) && one.place === touch.place)
    .map((one) => ({ ...one, action: "delete", step: touch.step, via: touch.via }));
}
