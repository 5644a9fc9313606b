import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";
import { patchText } from "./patch-text.ts";

/** What differs between starting OpenCode and starting a fork of it. */
export interface OpencodeLaunch {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Config file below home, and folders that hold plugins, relative to home and to the project. */
  readonly configFile: string;
  readonly homeFolder: string;
  readonly projectFolder: string;
  /** The plugin package it would install into those folders, with the version it was seen to want. */
  readonly plugin: readonly [name: string, version: string];
  readonly config: Readonly<Record<string, unknown>>;
  readonly notProved: readonly string[];
}

/**
 * How OpenCode and its forks run one prompt against a scripted model. The model's name decides the tools: one
 * that contains `gpt-5` gets `apply_patch` in place of `edit` (ran: 1.18.33, 2026-11-30).
 */
export function opencodeLaunch(like: OpencodeLaunch): Launch {
  return { ...launchWith("scripted-model", like), variants: { patch: launchWith("gpt-5-scripted", like) } };
}

function launchWith(model: string, like: OpencodeLaunch): Launch {
  const [program = "", ...args] = like.command;
  return {
    wire: "openai-chat",
    command: (prompt) => [program, ...args, prompt],
    env: () => ({ ...like.env, npm_config_fetch_retries: "0" }),
    homeFiles: (stage) => ({
      [like.configFile]: `${JSON.stringify(config(stage.baseUrl, model, like.config), null, 2)}\n`,
      ...seeded(like.homeFolder, like.plugin),
    }),
    projectFiles: () => seeded(like.projectFolder, like.plugin),
    tool,
    notProved: like.notProved,
  };
}

/**
 * Made for one version, taken by all: its plugin package is installed into every config folder that holds a
 * plugin and waited for, a minute when offline. A folder that seems to have it already is left alone (ran:
 * OpenCode 1.18.33, Kilo 7.7.7, 2026-11-30).
 */
function seeded(folder: string, [name, version]: OpencodeLaunch["plugin"]): Record<string, string> {
  const dependencies = { [name]: version };
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  return {
    [`${folder}/package.json`]: `${JSON.stringify({ dependencies })}\n`,
    [`${folder}/package-lock.json`]: `${JSON.stringify(lock)}\n`,
    [`${folder}/node_modules/.keep`]: "",
    [`${folder}/.gitignore`]: "node_modules\npackage.json\npackage-lock.json\n.gitignore\n",
  };
}

function config(
  baseUrl: string,
  id: string,
  more: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const model = { name: "Scripted", tool_call: true, limit: { context: 100_000, output: 8_000 } };
  return {
    model: `scripted/${id}`,
    small_model: `scripted/${id}`,
    autoupdate: false,
    share: "disabled",
    ...more,
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: `${baseUrl}/v1`, apiKey: "dummy" },
        models: { [id]: model },
      },
    },
  };
}

function tool(step: Step, _stage: Stage, offered: readonly string[]): ToolCall | null {
  if ("say" in step) return null;
  if ("shell" in step) return { name: "bash", input: { command: step.shell, description: "Run a command" } };
  // Kilo offers `write` beside it (ran: 7.7.7).
  if (offered.includes("apply_patch")) return { name: "apply_patch", input: { patchText: patchText(step) } };
  if ("write" in step) {
    return { name: "write", input: { filePath: step.write.path, content: step.write.content } };
  }
  const { path, from, to } = step.edit;
  return { name: "edit", input: { filePath: path, oldString: from, newString: to } };
}
