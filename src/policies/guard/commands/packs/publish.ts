import type { Pack } from "../rule.ts";

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
        "lerna|beachball publish",
        "rush publish -p|--publish|--include-all",
        "lerna-lite publish",
        "nx release !--dry-run|-d|--skip-publish !version|changelog|plan|plan:check",
        "changeset|changesets publish",
        "semantic-release|release-it|np|auto|clean-publish|standard-version-publish ** !--dry-run|-d|--help|--version|--no-publish|--preview",
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
        "rake release|release[*|gem:push|*:release",
        "bundle release",
        "mvn|mvnw|maven ** deploy|release:perform|nexus-staging:release|*:deploy|deploy:deploy|deploy:deploy-file !-n",
        "gradle|gradlew|gradlew.bat ** publish*|*:publish*|artifactorypublish|uploadarchives|bintrayupload|publishplugins|closeandreleaserepository !--dry-run|-m !publishtomavenlocal|*:publishtomavenlocal",
        "sbt ** publish|publishsigned|sonatyperelease|release|sonatypebundlerelease|+publish|+publishsigned|ci-release",
        "dotnet nuget push|delete",
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
      step: (step) => {
        const text = step.args.join(" ");
        if (step.name === "curl")
          return (
            /\bapi\.github\.com\/repos\//.test(text) &&
            /"(?:private"\s*:\s*false|archived"\s*:\s*true|visibility"\s*:\s*"public")/.test(text)
          );
        if (step.args[0] !== "api") return false;
        const method = /(?:-X|--method)[= ]?\s*(\w+)/.exec(text)?.[1]?.toUpperCase();
        if (method === "DELETE") return !step.args.some((word) => ofTalk.test(word));
        if (/mutation[\s\S]*\bdelete\w+\s*\(/i.test(text)) return true;
        return (
          method !== undefined &&
          method !== "GET" &&
          /\/protection\b|\/rulesets\b|\/transfer\b|visibility=public|private=false|archived=true/.test(text)
        );
      },
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

/** What hangs on an issue and is put back with a click: its labels, reactions, people, and comments. */
const ofTalk =
  /\/issues\/(?:\d+\/(?:labels|assignees|reactions|lock)|comments\/\d+)(?:\/[\w%.-]+)*$|\/pulls\/(?:\d+\/requested_reviewers|comments\/\d+)(?:\/[\w%.-]+)*$/;
