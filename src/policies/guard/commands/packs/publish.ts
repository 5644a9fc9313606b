import type { Step } from "../../../../shell/model.ts";
import { changesHosting } from "../hosting-api.ts";
import type { Pack } from "../rule.ts";

/** Runners of the tasks of many packages. */
const runners = ["nx", "turbo", "lage", "moon", "melos"];

/** Publishing packages, and repositories as a whole. */
export const publish: Pack = {
  name: "publish",
  title: "Packages and releases",
  rules: [
    {
      id: "publish/package",
      words: "publishes, withdraws or changes a package for everyone",
      loss: "A version number can be used once only; people may install it within seconds.",
      safer: "Try it dry: `npm publish --dry-run`.",
      match: [
        "npm publish|pu|pub|publ|publi|publis|unp|unpu|unpub*|dep|depr|depre|deprec*|undep* !--dry-run",
        "npm dist-tag|dist-tags|owner|access|team|hook|org|stage add|rm|remove|set|grant|revoke|create|destroy|public|restricted|approve",
        "pnpm|cnpm|yarn|bun|deno|jsr publish|unpublish !--dry-run|-n",
        "pnpm recursive|multi publish !--dry-run",
        "yarn npm publish|tag !--dry-run|-n !list",
        "yarn workspace|workspaces ** publish !--dry-run|-n",
        "npm token revoke|delete|rm",
        "charmcraft upload|release",
        "clojars|deps-deploy deploy",
        "npm publish-*",
        "cargo hack ** publish !--dry-run|-n",
        "release-plz release !--dry-run",
        "melos publish --no-dry-run",
        "lerna|beachball publish",
        "rush publish -p|--publish|--include-all",
        "lerna-lite publish",
        "nx release !--dry-run|-d|--skip-publish !version|changelog|plan|plan:check",
        "changeset|changesets publish",
        "semantic-release|multi-semantic-release|release-it|np|auto|clean-publish|standard-version-publish ** !--dry-run|-d|--help|--version|--no-publish|--preview",
        "cargo publish|yank|owner !--dry-run|-n|--list",
        "cargo workspaces|ws publish !--dry-run",
        "cargo release|smart-release --execute|-x",
        "twine|uvx-twine upload",
        "python|python3 -m twine upload",
        "poetry|flit|hatch|uv|pdm|maturin|rye|enscons publish|upload !--dry-run",
        "python|python3|setup.py upload",
        "python|python3 setup.py ** upload|register",
        "anaconda|conda|binstar upload",
        "gem push|yank",
        "gem owner -a|-r|--add|--remove",
        "gem release",
        "rake release|release[*|gem:push|*:release !-n|--dry-run",
        "bundle release",
        "mvn|mvnw|maven ** deploy|release:perform|nexus-staging:release|*:deploy|deploy:deploy|deploy:deploy-file !-n",
        "gradle|gradlew|gradlew.bat ** publish*|*:publish*|artifactorypublish|uploadarchives|bintrayupload|publishplugins|closeandreleaserepository !--dry-run|-m !publishtomavenlocal|*:publishtomavenlocal",
        "sbt ** publish|publishsigned|sonatyperelease|release|sonatypebundlerelease|+publish|+publishsigned|ci-release",
        "dotnet nuget push|delete !-s=.*|--source=.*|-s=/*|--source=/*",
        "nuget push|delete",
        "pod trunk push|delete|deprecate",
        "pod repo push",
        "vsce|ovsx|ovsx-cli publish|unpublish",
        "mix hex.publish|hex.retire|hex.owner !--dry-run",
        "gleam publish",
        "mill *.publish|*.publishall",
        "publish-module|publish-script|publish-psresource !-whatif",
        "dzil|minil release",
        "dune-release publish",
        "rebar3 hex publish|retire",
        "luarocks upload",
        "opam-publish|opam publish",
        "cabal|stack upload",
        "dart|flutter pub publish|lish !-n|--dry-run",
        "pub publish",
        "goreleaser release|publish !--snapshot|--skip=publish",
        "helm push",
        "helm cm-push",
        "oras push",
        "composer publish",
        "apm publish|unpublish",
        "clojure|clj|lein ** deploy",
        "shards|crystal publish",
        "swift package-registry publish",
        "snapcraft upload|release|push|close",
        "chocolatey|choco push",
        "terraform-registry publish",
        "buf push",
        "npm-publish **",
        "web-ext sign",
        "chrome-webstore-upload|cws upload|publish",
        "fastlane ** deliver|supply|pilot|release|upload_to_app_store|upload_to_play_store",
        "eas submit",
        "xcrun altool --upload-app|--upload-package",
        "huggingface-cli|hf upload|upload-large-folder|repo-delete",
        "huggingface-cli|hf repo delete",
        "platformio|pio pkg|package publish|unpublish",
        "expo publish",
        "bower register|unregister",
        "dub register",
        "cpan-upload|mojo-upload **",
        "conan upload|remove",
        "nimble publish",
        "elm publish|bump",
        "spago publish",
        "wapm|wasm-pack publish",
        "ansible-galaxy ** publish|delete !--help",
        "jfrog|jf rt del|delete|u|upload",
      ],
      programs: runners,
      step: runsPublish,
    },
  ],
};

/** What can be done to a hosted repository from the command line. */
export const github: Pack = {
  name: "github",
  title: "GitHub and GitLab",
  rules: [
    {
      id: "github/repository",
      words: "deletes, archives, transfers or exposes a repository",
      loss: "The repository with its issues, or the secrecy of everything in it.",
      safer: "Look at it: `gh repo view acme/app`.",
      match: [
        "gh repo delete|archive|transfer|rename",
        "gh repo edit --visibility",
        "gh repo create --public -s|--source|--push",
        "glab repo|project delete|archive|transfer",
        "glab repo|project update --visibility=public|--archive",
        "hub delete",
        "tea repo|repos delete|rm",
        "gcloud source repos delete",
        "bb repo delete",
      ],
      programs: ["gh", "glab"],
      step: (step) => {
        const at = step.args.indexOf("--visibility");
        return step.name === "glab" && at >= 0 && step.args[at + 1] === "public";
      },
    },
    {
      id: "github/delete",
      words: "deletes releases, secrets or other things of a hosted repository",
      loss: "Downloads people rely on, deployment keys, or the record of past runs.",
      safer: "List them: `gh release list`.",
      match: [
        "gh release|gist|issue|label|run|codespace|cs|ssh-key|gpg-key|variable|secret|deploy-key|project|ruleset|milestone|environment delete|remove|delete-asset|item-delete|field-delete",
        "gh repo deploy-key|autolink delete",
        "gh workflow disable",
        "gh ruleset|rs disable",
        "gh codespace|cs delete",
        "glab release|variable|issue|mr|label|snippet|ssh-key|schedule|ci|milestone|token|deploy-key|cluster|incident delete|remove|revoke",
        "hub release delete",
        "tea release|releases|label|milestone delete|rm",
      ],
    },
    {
      id: "github/api-delete",
      words: "changes or deletes protected things through the hosting API",
      loss: "Branch protection, branches, releases or the repository itself.",
      safer: "Read it: `gh api repos/acme/app`.",
      programs: ["gh", "glab", "curl"],
      step: changesHosting,
    },
    {
      id: "github/merge-past-rules",
      words: "merges past the rules of the branch",
      loss: "The review and the checks that the branch asks for.",
      safer: "Let it wait for them: `gh pr merge 12 --auto --squash`.",
      match: ["gh pr merge --admin", "glab mr merge --skip-checks"],
    },
  ],
};

/** `nx run core:publish`, `turbo run publish`, `nx affected -t publish`: the task that is called so in every package. */
function runsPublish({ name, args }: Step): boolean {
  if (
    !runners.includes(name) ||
    args.some((word) => /^(?:--dry(?:-?run)?(?:=.*)?|-d|--graph|--help|-h)$/i.test(word))
  )
    return false;
  const verb = args.find((word) => !word.startsWith("-")) ?? "";
  if (name !== "lage" && !/^(?:run|run-many|affected|publish)$/.test(verb)) return false;
  if (name === "melos" && verb !== "run") return false;
  return args.some((word, at) => {
    const before = args[at - 1] ?? "";
    const isTask = !before.startsWith("-") || before.includes("=") || tasks.test(before);
    const listed = /^(?:-t|--targets?|--tasks?)=(.*)$/.exec(word)?.[1] ?? (isTask ? word : "");
    return listed.split(",").some((task) => /^(?:[^-].*[:#])?publish$/.test(task));
  });
}

/** Options that name tasks, or take nothing. */
const tasks = /^(?:-t|--targets?|--tasks?|--all|--parallel|--verbose|--force|--no-\S+)$/;
