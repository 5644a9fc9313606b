import type { Step } from "../../../shell/model.ts";
import type { View } from "./rule.ts";

/** Programs that commit and tag by themselves. */
const releasers = new Set(
  "release-it standard-version commit-and-tag-version semantic-release lerna np bumpp changelogen bumpversion bump2version bump-my-version cz git-cz release bump".split(
    " ",
  ),
);
/** Programs that run scripts of the project, and commit where a script does. */
const runners = /^(?:npm|pnpm|yarn|bun|make|gmake|just|task|rake)$/;
/** Programs that put text into files. */
const writers = /^(?:echo|printf|tee|cat|sed)$/;

/** Programs that can switch hooks off, or that run hooks. */
export const hookPrograms: readonly string[] = [
  ..."git husky lefthook pre-commit overcommit chmod setx echo printf tee cat sed".split(" "),
  ..."npm pnpm yarn bun make gmake just task rake".split(" "),
  ...releasers,
];

/** Keys of git that bring in a file of settings. */
export const included = /^include(?:if\..+)?\.path$/i;

const hookSwitches: Readonly<Record<string, RegExp>> = {
  HUSKY: /^0$/,
  LEFTHOOK: /^(?:0|false)$/,
  HUSKY_SKIP_HOOKS: /^(?:1|true)$/,
  HUSKY_SKIP_INSTALL: /^(?:1|true)$/,
  SKIP_SIMPLE_GIT_HOOKS: /^1$/,
  OVERCOMMIT_DISABLE: /^1$/,
  PRE_COMMIT_ALLOW_NO_CONFIG: /^1$/,
};

/** Subcommands of git that run hooks. */
export const hookVerbs = new Set([
  "commit",
  "push",
  "merge",
  "rebase",
  "am",
  "cherry-pick",
  "revert",
  "pull",
  "checkout",
]);

/** Does the command switch the project's hooks off, for itself or for later? */
export function hooksOff(step: Step, view: View): boolean {
  if (writers.test(step.name)) return writesSwitch(step, view);
  if (commits(step)) return switchedOff(step.env);
  if (step.name === "chmod")
    return (
      step.args.some((word) => /\.git\/hooks/.test(word)) &&
      !step.args.some((word) => /^[ugoa]*\+[rwx]+$|^0?[0-7]*[1357][0-7]{0,2}$/.test(word))
    );
  if (step.name === "setx") return hookSwitches[step.args[0] ?? ""]?.test(step.args[1] ?? "") === true;
  if (releasers.has(step.name) || runners.test(step.name)) return false;
  if (step.name !== "git") {
    return step.args[0] === "uninstall" || (step.name === "overcommit" && step.args.includes("--uninstall"));
  }
  const verb = step.args[0] ?? "";
  if (hookVerbs.has(verb)) {
    if (step.env.has("config core.hookspath")) return true;
    if (switchedOff(step.env) || setIn(step.env, "SKIP") || setIn(step.env, "LEFTHOOK_EXCLUDE")) return true;
  }
  if (verb !== "config") return false;
  const rest = step.args
    .slice(1)
    .filter((word) => !/^--(?:local|global|system|worktree|add|replace-all|type=.*)$/.test(word));
  if (
    rest.some((word) => /^--(?:get|list|show)|^-l$|^--get-/.test(word)) ||
    rest[0] === "get" ||
    rest[0] === "list"
  )
    return false;
  if (/^(?:--)?(?:remove|rename)-section$/.test(rest[0] ?? "") && rest[1] === "core") return true;
  const at = rest.findIndex((word) => /^core\.hookspath$/i.test(word) || included.test(word));
  if (at < 0) return rest.some((word) => /^remote\..+\.mirror$/.test(word)) && rest.includes("true");
  return rest.length > at + 1 || rest.some((word) => /^--unset|^unset$/.test(word));
}

function switchedOff(env: Step["env"]): boolean {
  return Object.entries(hookSwitches).some(([name, off]) => off.test(env.get(name) ?? ""));
}

function setIn(env: Step["env"], name: string): boolean {
  return (env.get(name) ?? "") !== "";
}

/** `npm version`, `npm run release`, `release-it`: a commit or push is part of the work. */
function commits({ name, args }: Step): boolean {
  if (releasers.has(name)) return true;
  if (!runners.test(name)) return false;
  const [first = "", ...rest] = args.filter((word) => !word.startsWith("-"));
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name) && first === "version") return rest.length > 0;
  const script = /^run(?:-script)?$/.test(first) ? (rest[0] ?? "") : first;
  return /(?:^|[:_.-])(?:release|version|commit|push|bump|tag)(?:$|[:_.-])/.test(script);
}

/** Files that husky or a shell reads before anything else. */
const startFiles =
  /\/(?:\.huskyrc|\.config\/husky\/init\.sh|\.bashrc|\.bash_profile|\.profile|\.zshrc|\.zshenv|\.zprofile|\.envrc)$/;

/** `echo 'export HUSKY=0' >> ~/.huskyrc`: off from now on. */
function writesSwitch({ args, stdin }: Step, { touches }: View): boolean {
  if (!touches.some(({ action, path }) => action !== "read" && startFiles.test(path))) return false;
  const set = [...args, stdin.text].join("\n").matchAll(/\b([A-Z_]+)=["']?(\w+)/g);
  return [...set].some(([, name = "", value = ""]) => hookSwitches[name]?.test(value) === true);
}
