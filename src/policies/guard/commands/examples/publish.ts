import type { RuleExamples } from "./examples.ts";

/** Commands that hit each rule, and near misses that must not. */
export const publishExamples: RuleExamples = {
  "publish/package": {
    hits: [
      "npm pub",
      "nx run core:publish",
      "cargo hack publish",
      "mvn deploy",
      "npm publish",
      "bun publish",
      "pdm publish",
      "yarn publish",
      "flit publish",
      "nuget push x",
      "vsce publish",
      "deno publish",
      "hatch publish",
      "./mvnw deploy",
      "gradle publish",
      "pnpm publish -r",
      "pnpm -r publish",
      "maturin publish",
    ],
    misses: [
      "npx semantic-release --dry-run",
      "npm rm x",
      "npm pack",
      "nx run core:publish --dry-run",
      "mvn test",
      "yarn pack",
      "sudo npm ci",
      "mvn package",
      "dotnet pack",
      "npm owner ls",
      "gradle build",
      "cargo package",
      "lerna version",
      "npm dist-tag ls",
    ],
  },
};
