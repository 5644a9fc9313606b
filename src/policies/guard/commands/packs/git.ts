import type { Step } from "../../../../shell/model.ts";
import { movesBranch, takesPattern, wholeTree } from "../git-source.ts";
import { hookPrograms, hooksOff, hookVerbs, included } from "../hooks-off.ts";
import type { Pack, View } from "../rule.ts";
import { isHook } from "./files.ts";

/** Losing work that git keeps: uncommitted changes, branches, history, and the checks around it. */
export const git: Pack = {
  name: "git",
  title: "Git",
  rules: [
    {
      id: "git/force-push",
      words: "overwrites or deletes branches on the remote",
      loss: "Commits of other people that are only there.",
      safer: "`git push --force-with-lease` refuses to overwrite commits nobody here has seen.",
      match: [
        "git push -f|--force !-n|--dry-run",
        "git push --mirror !-n|--dry-run",
        "git push --prune !-n|--dry-run",
        "git push -d|--delete !-n|--dry-run",
        "hg|chg|sl push -f|--force",
        "jj git push --deleted !--dry-run",
        "gh repo sync --force",
        "mkdocs gh-deploy --force",
        "git send-pack|subtree --force|--mirror",
      ],
      programs: ["git", "gh", "glab"],
      step: (step) =>
        forcedByApi(step) ||
        (/^(?:push|subtree)$/.test(step.args[0] ?? "") &&
          !dryPush(step) &&
          (forcedRef(step) || forcedBySetting(step))) ||
        setsForcedPush(step) ||
        addsMirror(step),
    },
    {
      id: "git/no-verify",
      words: "skips or switches off the checks that run on commit and push",
      loss: "The protection of the project's own hooks; broken or secret content gets through.",
      safer: "Run `git commit` with the checks and mend what they report.",
      match: [
        "git commit -n|--no-verify !--dry-run",
        "git push|merge|am|rebase|pull|cherry-pick|revert --no-verify",
      ],
      programs: hookPrograms,
      step: (step, view) => hooksOff(step, view) || readsOtherSettings(step, view),
      touch: (touch) => touch.action !== "read" && isHook(touch.marked),
    },
    {
      id: "git/discard",
      words: "throws away uncommitted work",
      loss: "Changes and untracked files that no commit holds; git cannot bring them back.",
      safer: "Keep them first: commit them, or `git stash push -u -- src`. To look only: `git clean -n`.",
      match: [
        "git reset --hard|--merge",
        "git clean -f|--force !-n|--dry-run",
        "git checkout -f|--force",
        "git switch -f|--force|--discard-changes",
        "git stash drop|clear",
        "git worktree remove -f|--force",
        "git checkout-index -f|--force -a|--all !--prefix",
        "git read-tree --reset -u",
        "git read-tree -m -u",
        "git submodule deinit -f|--force",
        "git submodule update -f|--force",
        "git config clean.requireforce false|0|no|off",
        "git annex drop|dropunused --force",
        "gh pr checkout|co -f|--force",
        "hg|chg|sl update|up|checkout|co|goto|clean -C|--clean",
        "hg|chg|sl revert -a|--all",
        "hg|chg|sl purge|strip|rollback !-p|--print",
        "svn revert -R|--recursive",
        "svn cleanup --remove-unversioned|--remove-ignored",
      ],
      programs: ["git"],
      step: (step) => wholeTree(step) || takesPattern(step) || cleanWithoutForce(step),
    },
    {
      id: "git/delete-branch",
      words: "deletes a branch even when it is not merged",
      loss: "Commits that only that branch holds.",
      safer: "`git branch -d old` refuses to delete what is not merged.",
      match: [
        "git branch -D",
        "git branch -d|--delete -f|--force",
        "git branch -M * *",
        "git branch -C",
        "git branch -f|--force",
      ],
      programs: ["git"],
      step: movesBranch,
    },
    {
      id: "git/history",
      words: "rewrites history or drops the net below it",
      loss: "Old commits; without the reflog not even git finds them again.",
      safer: "Add a commit that undoes: `git revert HEAD`.",
      match: [
        "git reflog expire|delete|drop !-n|--dry-run",
        "git gc --prune=now|--prune=all|--prune=0*|--prune=today|--prune=*second*|--prune=*minute*|--prune=*hour*",
        "git repack --unpack-unreachable=now|--unpack-unreachable=all",
        "git config gc.reflogexpire|gc.reflogexpireunreachable|gc.pruneexpire now|all|0*",
        "git rebase --root",
        "git update-ref head|refs/heads/* *",
        "git prune !-n|--dry-run",
        "git update-ref -d",
        "git update-ref --stdin",
        "git filter-branch|filter-repo !--analyze|--help|-h|--dry-run|--version",
        "git fast-import --force",
        "git lfs migrate import|export",
        "git replace -f|--force|-d|--delete",
        "git symbolic-ref -d|--delete",
        "git notes prune",
        "git lfs prune !--dry-run|-n",
        "git-filter-repo|git-filter-branch",
        "java *bfg*",
        "python|python3 *git-filter-repo*|*git_filter_repo*",
      ],
      programs: ["git", "bfg"],
      step: (step) =>
        step.name === "bfg"
          ? step.args.some((word) => !/^--?(?:help|version)$/.test(word))
          : step.args[0] === "gc" && dropsAtOnce(step),
    },
  ],
};

/** `+ref` and `:ref` as a refspec. */
function forcedRef(step: Step): boolean {
  const operands = step.args.slice(1).filter((word) => !word.startsWith("-"));
  return operands.some((word) => /^\+./.test(word) || /^:[^/\\]/.test(word) || /^:refs\//.test(word));
}

/** `gh api -X PATCH repos/o/r/git/refs/heads/main -F force=true`. */
function forcedByApi({ name, args }: Step): boolean {
  if (name === "git" || args[0] !== "api") return false;
  return (
    args.some((word) => /\/git\/refs\//.test(word)) &&
    args.some((word) => /^force=(?:true|1)$|"force":\s*true/.test(word))
  );
}

/** `git config remote.origin.push +main`: every later push is forced. */
function setsForcedPush(step: Step): boolean {
  if (step.args[0] !== "config") return false;
  const at = step.args.findIndex((word) => /^remote\..+\.push$/i.test(word));
  return at > 0 && /^[+:]/.test(step.args[at + 1] ?? "");
}

/** `git remote add --mirror=push backup url`: every push there overwrites and deletes. */
function addsMirror({ args }: Step): boolean {
  return args[0] === "remote" && args[1] === "add" && args.some((word) => /^--mir\w*(?:=push)?$/.test(word));
}

function dryPush(step: Step): boolean {
  return step.args.some((word) => /^-[a-z]*n[a-z]*$|^--dry-run$|^--help$/.test(word));
}

function forcedBySetting(step: Step): boolean {
  for (const [name, value] of step.env) {
    if (/^config remote\..+\.push$/.test(name) && /^[+:]/.test(value)) return true;
    if (/^config remote\..+\.mirror$/.test(name) && value !== "false") return true;
    if (name === "config push.default" && value === "matching" && step.args.includes("--force")) return true;
  }
  return false;
}

/**
 * Other settings may name other hooks; with another home folder, or none, a commit hook does not find what it starts.
 * In a repository below the temp folder that is how tests are run.
 */
function readsOtherSettings(step: Step, view: View): boolean {
  const [verb = ""] = step.args;
  if (step.name !== "git" || step.place !== "host" || !hookVerbs.has(verb) || inTemp(step, view))
    return false;
  if (verb === "push" && dryPush(step)) return false;
  for (const [name, value] of step.env) {
    if (included.test(name.replace(/^config /, ""))) return true;
    const usual = value === "" || (name === "XDG_CONFIG_HOME" && value === `${view.world.home}/.config`);
    if (/^(?:GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM|XDG_CONFIG_HOME)$/.test(name) && !usual) return true;
    const elsewhere = name === "unset HOME" || (name === "HOME" && value !== view.world.home);
    if (elsewhere && verb !== "push" && verb !== "checkout") return true;
  }
  return false;
}

/** `git -c gc.pruneExpire=now gc`. */
function dropsAtOnce(step: Step): boolean {
  return ["gc.reflogexpire", "gc.reflogexpireunreachable", "gc.pruneexpire"].some((key) =>
    /^(?:now|all|0)\b/.test(step.env.get(`config ${key}`) ?? ""),
  );
}

function cleanWithoutForce(step: Step): boolean {
  if (step.args[0] !== "clean") return false;
  const dry = step.args.some((word) => /^-[a-zA-Z]*n[a-zA-Z]*$|^--dry-run$/.test(word));
  // `yes | git clean -i`: nobody reads what it asks.
  const answered =
    step.args.some((word) => /^-[a-zA-Z]*i|^--interactive$/.test(word)) && step.stdin.text !== "";
  return !dry && (answered || /^(?:false|0|no|off)$/.test(step.env.get("config clean.requireforce") ?? ""));
}

/** Discards in a repository below the temp folder lose nothing of value, unless the project lies there itself. */
export function inTemp(step: Step, { world }: View): boolean {
  const root = world.root ?? world.cwd;
  const repository = [step.cwd, world.realpath(step.cwd)];
  const ofProject = repository.some((path) => isWithin(path, root) || isWithin(root, path));
  return !ofProject && world.tmp.some((tmp) => step.cwd.startsWith(`${tmp}/`));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
