/**
 * Which files a program lists, or git takes along, by the words of its command line: a part of its own in the
 * bundles, loaded for the few commands that hang on it (see `scripts/build.mjs`).
 */
export { takenBy } from "./commands/git-takes.ts";
export { isIn, revsOf } from "./in-list.ts";
export { leavingOut } from "./leave-to-git.ts";
