import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";
import { patchText } from "../_family/patch-text.ts";

/**
 * How Cline's CLI runs one prompt against a scripted model (ran: 3.0.65, 2026-11-30). With `--yolo` a run ends
 * only by a tool, which is what makes sending it back possible. Refusals count as mistakes, and three in a row
 * would end the run. Without the local backend a daemon stays behind.
 */
export const launch: Launch = {
  ...launchWith("scripted-model", ["--yolo"]),
  variants: { act: launchWith("scripted-model", []), patch: launchWith("gpt-5-scripted", []) },
};

function launchWith(model: string, mode: readonly string[]): Launch {
  return {
    wire: "openai-chat",
    command: (prompt) => ["cline", "--json", "--retries", "20", ...mode, prompt],
    env: () => ({ CLINE_SESSION_BACKEND_MODE: "local", CLINE_PLUGIN_IMPORT_TIMEOUT_MS: "60000" }),
    homeFiles: (stage) => ({
      ".cline/data/settings/providers.json": `${JSON.stringify(providers(stage, model))}\n`,
    }),
    tool,
    notProved: [
      "The editor extensions: they cannot be run headless. There a refusal ends the task, and nothing is sent back.",
      "An ask: with auto-approve Cline runs it without asking, so a risky command is refused with instructions to ask you.",
      "Failing tests without `--yolo`: Cline's hooks hear of the end of a turn when it is over.",
    ],
  };
}

function providers({ baseUrl }: Stage, model: string): Readonly<Record<string, unknown>> {
  const provider = "openai-compatible";
  const settings = { provider, apiKey: "dummy", model, baseUrl: `${baseUrl}/v1` };
  const entry = { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" };
  return { version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: entry } };
}

function tool(step: Step, _stage: Stage, offered: readonly string[]): ToolCall | null {
  if ("say" in step) {
    const last = { summary: `${step.say} (end of the task)`, verified: true };
    return offered.includes("submit_and_exit") ? { name: "submit_and_exit", input: last } : null;
  }
  if ("shell" in step) return { name: "run_commands", input: { commands: [step.shell] } };
  if (!offered.includes("editor")) return { name: "apply_patch", input: { input: patchText(step) } };
  if ("write" in step) {
    return { name: "editor", input: { path: step.write.path, new_text: step.write.content } };
  }
  const { path, from, to } = step.edit;
  return { name: "editor", input: { path, old_text: from, new_text: to } };
}
