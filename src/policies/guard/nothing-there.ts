import { isKnown } from "../../shell/marks.ts";
import type { Analysis, Touch } from "../../shell/model.ts";
import { baseOf, parentOf } from "../../shell/place.ts";
import type { Context } from "../context.ts";
import { zoneOf } from "./commands/zones.ts";

/** Programs that bring nothing of anybody's to a place where nothing was. */
const still = /^(?:cd|pushd|popd|pwd|echo|printf|ls|cat|rm|rmdir|mkdir|test|\[|true|:|set|export)$/;

/**
 * Is there surely nothing where something would be deleted outside the project? Not sure where another program runs
 * before, where another user's home or rights may be meant, and where the folder above cannot be read.
 */
export function isNothingThere(touch: Touch, { steps }: Analysis, { files, world }: Context): boolean {
  const { path, glob, marked } = touch;
  if (glob || touch.place !== "host" || !isKnown(marked) || zoneOf(path, world) !== "outside") return false;
  if (steps.some(({ wrappers, env }) => wrappers.length > 0 || env.has("HOME"))) return false;
  if (!steps.slice(0, touch.step).every(({ name }) => still.test(name))) return false;
  if (files.exists(path) || files.isLink(path)) return false;
  let [name, above] = [baseOf(path), parentOf(path)];
  while (above !== "/" && !files.exists(above)) [name, above] = [baseOf(above), parentOf(above)];
  const names = files.list(above);
  return names.length > 0 && !names.includes(name);
}
