import { cloudExamples } from "./cloud.ts";
import { dataExamples } from "./data.ts";
import type { RuleExamples } from "./examples.ts";
import { filesExamples } from "./files.ts";
import { gitExamples } from "./git.ts";
import { networkExamples } from "./network.ts";
import { publishExamples } from "./publish.ts";
import { systemExamples } from "./system.ts";
import { windowsExamples } from "./windows.ts";

/** Examples of every rule by its id, `protect` included. */
export const ruleExamples: RuleExamples = {
  ...filesExamples,
  ...gitExamples,
  ...publishExamples,
  ...dataExamples,
  ...cloudExamples,
  ...systemExamples,
  ...networkExamples,
  ...windowsExamples,
};
