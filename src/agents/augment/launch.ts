import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";
import { patchText } from "../_family/patch-text.ts";

/**
 * How Auggie runs one prompt against a scripted service in place of Augment's, without an account (ran: 0.36.0,
 * 2026-11-30). Whether hooks run at all is a setting of the account, which the script switches on.
 */
export const launch: Launch = {
  ...launchWith(fileTool),
  variants: { patch: launchWith((step) => ({ name: "apply_patch", input: { input: patchText(step) } })) },
};

type FileStep = Exclude<Step, { readonly say: string } | { readonly shell: string }>;

function launchWith(file: (step: FileStep) => ToolCall): Launch {
  return {
    wire: "augment-chat-stream",
    command: (prompt) => ["auggie", "--print", prompt],
    env: (stage) => ({ AUGMENT_SESSION_AUTH: session(stage), AUGMENT_DISABLE_AUTO_UPDATE: "1" }),
    homeFiles: () => ({}),
    tool: (step, stage) => {
      if ("say" in step) return null;
      return "shell" in step ? shell(step.shell, stage) : file(step);
    },
    notProved: [
      "Your account: Augment decides for each account whether hooks run. Type /hooks in auggie, which must list them.",
      "An ask: Auggie shows one and runs the tool, so a risky command is refused with instructions to ask you.",
    ],
  };
}

function session({ baseUrl }: Stage): string {
  return JSON.stringify({ accessToken: "dummy", tenantURL: `${baseUrl}/`, scopes: ["read", "write"] });
}

function shell(command: string, { project }: Stage): ToolCall {
  const input = { command, wait: true, max_wait_seconds: 60, cwd: project };
  return { name: "launch-process", input };
}

function fileTool(step: FileStep): ToolCall {
  if ("write" in step) {
    return { name: "save-file", input: { path: step.write.path, file_content: step.write.content } };
  }
  const { path, from, to } = step.edit;
  const input = { command: "str_replace", path, old_str_1: from, new_str_1: to };
  return { name: "str-replace-editor", input };
}
