import type { Step } from "../../core/setup.ts";

/** A file step as the patch text that Codex and OpenCode's GPT models write. */
export function patchText(step: Extract<Step, { write: unknown } | { edit: unknown }>): string {
  const body =
    "write" in step
      ? [`*** Add File: ${step.write.path}`, ...prefixed("+", step.write.content)]
      : [
          `*** Update File: ${step.edit.path}`,
          "@@",
          ...prefixed("-", step.edit.from),
          ...prefixed("+", step.edit.to),
        ];
  return ["*** Begin Patch", ...body, "*** End Patch", ""].join("\n");
}

function prefixed(mark: string, content: string): string[] {
  const lines = content.endsWith("\n") ? content.slice(0, -1) : content;
  return lines.split("\n").map((line) => mark + line);
}
