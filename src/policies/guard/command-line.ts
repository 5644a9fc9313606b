/**
 * All that has to understand command lines: most of the hook path, and a bundle of its own, which a call of a file
 * tool that changes a plain file of the project does not load (see `scripts/build.mjs`).
 */
export { judgeChanges } from "./judge-changes.ts";
export { judgeCommand } from "./risky-commands.ts";
export { weigh } from "./weigh.ts";
