import { agentMarks } from "../core/agent-marks.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Set in every child Holdfast starts. A hook that finds it in its own environment was caused by one of our
 * children (a test that runs an agent or commits) and stays silent, or tests would start tests without end.
 */
export const childMark = "HOLDFAST_CHILD";

/**
 * The environment for tests and other commands of the person: what their own terminal would give,
 * minus what git, the agent and npm left behind, plus our marker and `CI` so that no test runner
 * waits for file changes or asks a question.
 */
export function testEnvironment(env: Env): Record<string, string> {
  const clean = scrub(env);
  return { ...clean, [childMark]: "1", CI: clean.CI || "true", GIT_TERMINAL_PROMPT: "0" };
}

/**
 * The environment for our own git questions. `commit` keeps the variables by which `git commit` tells its
 * hook which index it is about to record: `git commit -a` and `git commit <path>` use a temporary one.
 */
export function gitEnvironment(env: Env, why: "ask" | "commit" = "ask"): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of why === "commit" ? commitVariables : []) {
    const value = env[name];
    if (value) kept[name] = value;
  }
  return {
    ...scrub(env),
    ...kept,
    [childMark]: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  };
}

/**
 * The variable by which an agent marks the commands it starts; null in a person's own terminal. Variables by
 * which a person configures an agent (`CODEX_HOME`, keys) say nothing.
 */
export function agentMark(env: Env): string | null {
  return Object.keys(env).find((name) => env[name] && markVariable.test(name)) ?? null;
}

/** Of every agent, then those that several set, and ours (ran or source, 2026-11-30). */
const markVariable = new RegExp(
  `^(${[...agentMarks.map((mark) => mark.replace("*", ".*")), "AI_AGENT", "AGENT", childMark].join("|")})$`,
);

/** True inside a child of ours. */
export function isOurChild(env: Env): boolean {
  return Boolean(env[childMark]);
}

const commitVariables = [
  "GIT_INDEX_FILE",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/** How a person reaches remotes, who they are, which config files they use. All other GIT_ variables go. */
const keptGit =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_.*|PROXY_SSL_.*|HTTP_.*|(AUTHOR|COMMITTER)_(NAME|EMAIL)|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|TEMPLATE_DIR|EDITOR|PAGER|ALLOW_PROTOCOL)$/;

/** Variables that agents set for their children; keys to model services stay, tests may need them. */
const agentVariable =
  /^(CLAUDE.*|CODEX_.*|OPENCODE.*|GEMINI_.*|QWEN_.*|COPILOT_.*|CURSOR_.*|CLINE_.*|KILO_.*|KIMI_CODE_.*|GROK_.*|DROID_.*|KIRO_.*|PI_(CODING_AGENT|SESSION|MODEL|PROVIDER).*|FACTORY_PROJECT_DIR|GOOSE_(PROVIDER|MODEL|TERMINAL)|AI_AGENT|AGENT|VSCODE_INSPECTOR_OPTIONS)$/;
const serviceKey = /_(API_KEY|API_BASE|BASE_URL)$/;

/** What `npx` and `npm run` leave behind; the person's own npm_config_ settings stay. */
const npmLeftover =
  /^(npm_(lifecycle_.*|package_.*|command|execpath|node_execpath|config_(local_prefix|user_agent|npm_version|node_gyp|argv))|INIT_CWD|PROJECT_CWD|BERRY_BIN_FOLDER|PNPM_SCRIPT_SRC_DIR)$/;

function scrub(env: Env): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isLeftover(name)) continue;
    clean[name] = name === "NODE_OPTIONS" ? withoutDebugger(value) : value;
  }
  if (clean.NODE_OPTIONS === "") delete clean.NODE_OPTIONS;
  return clean;
}

function isLeftover(name: string): boolean {
  if (name.startsWith("GIT_")) return !keptGit.test(name);
  if (agentVariable.test(name) || markVariable.test(name)) return !serviceKey.test(name);
  return npmLeftover.test(name);
}

/** An editor's debugger would attach to every test process, or hold its port. Memory limits and the like stay. */
function withoutDebugger(options: string): string {
  return options
    .replace(/(^|\s)--inspect(-brk|-wait|-port|-publish-uid)?([= ]\S+)?(?=\s|$)/g, " ")
    .replace(/(^|\s)(-r|--require|--import)[= ]("[^"]*js-debug[^"]*"|\S*js-debug\S*)/g, " ")
    .trim();
}

/**
 * Node's own operating system module. Loading it takes a millisecond that a hook rarely needs to spend: the
 * variables say nearly always what is asked.
 */
function os(): typeof import("node:os") {
  return process.getBuiltinModule("node:os");
}

/** The person's home folder. */
export function homeOf(env: Env): string {
  return env.HOME || env.USERPROFILE || os().homedir();
}

/** The folder for temporary files, as Node itself finds it. */
export function temporaryFolder(env: Env): string {
  if (process.platform === "win32") return os().tmpdir();
  const dir = env.TMPDIR || env.TMP || env.TEMP || "/tmp";
  return dir.length > 1 && dir.endsWith("/") ? dir.slice(0, -1) : dir;
}
