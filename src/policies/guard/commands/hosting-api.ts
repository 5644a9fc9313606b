import { hasUnknown } from "../../../shell/marks.ts";
import type { Step } from "../../../shell/model.ts";
import { optionValue, optionValues, readOptions } from "../../../shell/options.ts";
import { sent } from "./sql-over-http.ts";

/** A call of the API of GitHub or GitLab. */
interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Does the command delete something through a hosting API, or change what protects a repository or who sees it? */
export function changesHosting(step: Step): boolean {
  const call = step.name === "curl" ? byCurl(step) : byTool(step);
  if (call === null || /^(?:GET|HEAD)$/.test(call.method)) return false;
  const { method, path, body } = call;
  if (/^\/?graphql$/.test(path)) return mutation.test(body);
  // What curl deletes anywhere is another rule's.
  if (method === "DELETE") return step.name !== "curl" && !ofTalk.test(path);
  return guarded.test(path) || (isRepository(path) && exposes.test(`${body}\n${path}`));
}

const guarded =
  /\/(?:protection|rulesets|transfer|protected_(?:branches|tags)|actions\/permissions)(?:[/?]|$)|\/actions\/workflows\/[^/]+\/disable$|^\/?projects\/[^/]+\/archive$/;
const exposes =
  /\b(?:visibility"?\s*[=:]\s*"?public|private"?\s*[=:]\s*"?false|archived"?\s*[=:]\s*"?true)\b/i;
const mutation =
  /\bmutation\b[\s\S]*\b(?:(?:delete\w+|archiveRepository|update(?:BranchProtectionRule|RepositoryRuleset))\s*\(|updateRepository\s*\([\s\S]*visibility:\s*PUBLIC)/i;

/** What hangs on an issue and is put back with a click: its labels, reactions, people, and comments. */
const ofTalk =
  /\/issues\/(?:\d+\/(?:labels|assignees|reactions|lock)|comments\/\d+)(?:\/[\w%.-]+)*$|\/pulls\/(?:\d+\/requested_reviewers|comments\/\d+)(?:\/[\w%.-]+)*$/;

/** The repository itself, not one of its issues: `repos/acme/app`, `projects/1`. */
function isRepository(path: string): boolean {
  return (
    hasUnknown(path[0] ?? "") || /^\/?(?:repos\/[^/?]+(?:\/[^/?]+)?|projects\/[^/?]+)\/?(?:\?|$)/.test(path)
  );
}

/** `gh api`, `glab api`: where nothing is said, a call with fields is a POST. */
function byTool({ args, stdin, scripts }: Step): ApiCall | null {
  if (args[0] !== "api") return null;
  const parsed = readOptions(
    args.slice(1),
    "XfFHqtp method raw-field field header input jq template preview cache hostname",
  );
  const fields = optionValues(parsed, "-f", "-F", "--raw-field", "--field");
  const input = optionValue(parsed, "--input");
  const implied = fields.length > 0 || input !== null ? "POST" : "GET";
  return {
    method: (optionValue(parsed, "-X", "--method") ?? implied).toUpperCase(),
    path: parsed.operands[0] ?? "",
    body: [...fields, ...(input === "-" ? [stdin.text] : []), ...scripts].join("\n"),
  };
}

function byCurl(step: Step): ApiCall | null {
  const { urls, bodies, method } = sent(step);
  const path = urls.flatMap((url) => /(?:\bapi\.github\.com|\/api\/v[34])\/(.*)$/.exec(url)?.[1] ?? [])[0];
  if (path === undefined) return null;
  const implied = bodies.length > 0 ? "POST" : "GET";
  return { method: (method ?? implied).toUpperCase(), path, body: [...bodies, ...step.scripts].join("\n") };
}
