/**
 * All that has to understand command lines: most of the hook path, and a bundle of its own, which a call of a file
 * tool does not load (see `scripts/build.mjs`).
 */
export { judgeCommand } from "./risky-commands.ts";
export { weigh } from "./weigh.ts";
