import { join } from "node:path";
import { managedMark, type Scope } from "../core/setup.ts";
import type { PlanItem } from "./plan.ts";

/** What a project needs besides the agents' files: a folder for run state that git does not see. */
export function projectItems(root: string, scope: Scope): PlanItem[] {
  const owner = { agent: "holdfast", scope };
  return [
    {
      owner,
      root,
      plan: { kind: "lines", file: join(root, ".gitignore"), lines: [".holdfast/", "*.holdfast-*"] },
    },
    {
      owner,
      root,
      plan: {
        kind: "own-file",
        file: join(root, ".holdfast", ".gitignore"),
        text: `# ${managedMark}\n*\n`,
        mode: 0o644,
      },
    },
  ];
}

/** The person's `holdfast.yaml` with the text the wizard made from `expect`; null: there is none yet. */
export function manifestItem(
  file: string,
  text: string,
  expect: string | null,
  root: string | null,
): PlanItem {
  const scope = root === null ? "user" : "project";
  return { owner: { agent: "holdfast", scope }, root, plan: { kind: "text", file, text, expect } };
}
