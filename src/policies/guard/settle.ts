import type { World } from "../../core/world.ts";
import { isLink, lies, upwards } from "../../paths/lies.ts";
import { asGlob, hasUnknown } from "../../shell/marks.ts";
import type { Analysis, Step, Touch } from "../../shell/model.ts";
import { absolute } from "../../shell/place.ts";
import { isOfAgent } from "./changes.ts";
import { startOf } from "./commands/sweep.ts";
import { zoneOf } from "./commands/zones.ts";

/**
 * What a command line changes by where it lies on the disk, for rules that weigh places: `etc/hosts` may be a file of
 * the system, and the project may be reached by more than one way. What only reads stays as it is written.
 */
export function settle(analysis: Analysis, world: World): Analysis {
  const gone: string[] = [];
  let moved = false;
  const touches = analysis.touches.map((touch) => {
    if (touch.action === "read" || touch.place !== "host" || hasUnknown(touch.marked[0] ?? "")) return touch;
    // A link that this very command took away leads nowhere any more.
    if (gone.some((link) => touch.path === link || touch.path.startsWith(`${link}/`))) return touch;
    const step = analysis.steps[touch.step];
    if (!touch.glob && staysItself(touch, step, world) && isLink(touch.path, world)) gone.push(touch.path);
    const settled = settledTouch(touch, step, world);
    moved ||= settled !== touch;
    return settled;
  });
  return moved ? { ...analysis, touches } : analysis;
}

/** What is written and where it lies, for what counts by either name. */
export function eitherWay(written: Analysis, settled: Analysis): Analysis {
  const led = settled.touches.filter(({ named }) => named !== undefined);
  return led.length === 0 ? written : { ...written, touches: [...written.touches, ...led] };
}

/** What stands behind these in this process says nothing of the one that will write to them. */
const descriptor = /^\/(?:dev\/(?:fd\/|std(?:in|out|err)$)|proc\/(?:self|thread-self|\d+)\/fd\/)/;

function settledTouch(touch: Touch, step: Step | undefined, world: World): Touch {
  const start = startOf(touch);
  if (start === "" || descriptor.test(start) || zoneOf(touch.path, world) === "git") return touch;
  const own = !touch.glob && staysItself(touch, step, world);
  const from = (touch.glob ? null : written(touch, step, world)) ?? start;
  const place = isGitsOwn(touch) ? belowLinks(start, step, world) : lies(from, world, own);
  const tree = touch.tree && !(own && isLink(from, world));
  if (place === start) return tree === touch.tree ? touch : { ...touch, tree };
  if (isOfAgent(touch.path, world)) return touch;
  const marked = (place === "/" && touch.glob ? "" : place) + touch.marked.slice(start.length);
  return { ...touch, tree, marked, path: touch.glob ? asGlob(marked) : marked, named: touch.path };
}

/** `../x` is meant from where the working directory really is. */
function written(touch: Touch, step: Step | undefined, world: World): string | null {
  if (step === undefined || !touch.written.includes("..")) return null;
  if (absolute(step.cwd, touch.written) !== touch.path) return null;
  return upwards(step.cwd, touch.written, world);
}

/**
 * What goes or is replaced is the link; one that is emptied, that has a slash or a `.` at its end, or that is the
 * working directory, is what it leads to.
 */
function staysItself(touch: Touch, step: Step | undefined, world: World): boolean {
  const { action, path, replaces, written, via } = touch;
  if (replaces === true) return true;
  if (!/^(?:delete|move)$/.test(action) || via.endsWith("empties its target")) return false;
  return !/(?:^|\/)\.{0,2}$/.test(written) && path !== step?.cwd && path !== world.cwd;
}

/** Only the working directory may be reached through links. */
function belowLinks(path: string, step: Step | undefined, world: World): string {
  const cwd = step?.cwd ?? "";
  return path === cwd || path.startsWith(`${cwd}/`) ? lies(cwd, world) + path.slice(cwd.length) : path;
}

/** Git does not write through the links of its working tree. */
function isGitsOwn({ via }: Touch): boolean {
  return /^git (?:checkout|restore|rm|mv|clean|stash)\b/.test(via);
}
