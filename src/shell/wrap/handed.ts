import type { Call, Stream } from "../model.ts";
import { optionValue, optionValues, readOptions } from "../options.ts";
import { baseOf } from "../place.ts";
import { recordStep } from "../record.ts";
import { away, inside } from "./inside.ts";

// Tools of clouds and frameworks that hand a command or a program on.

/** `gcloud compute ssh machine --command text`, or the command after `--`. */
export function gcloud(call: Call): Stream | null {
  if (!call.argv.includes("ssh")) return null;
  const parsed = readOptions(call.argv.slice(1), "- command zone project");
  const after = parsed.operands.slice(parsed.beforeDashes).join(" ");
  const text = optionValue(parsed, "--command") ?? after;
  return text === "" ? null : inside(call, "gcloud", text, away(call, "remote"));
}

/** `aws ssm send-command --parameters commands=…`, `aws ecs execute-command --command …`. */
export function aws(call: Call): Stream | null {
  const verb = /^(?:send-command|execute-command|start-session)$/;
  if (!call.argv.some((word) => verb.test(word))) return null;
  const parsed = readOptions(
    call.argv.slice(1),
    "- parameters command document-name instance-ids targets cluster task container region profile",
  );
  const texts = optionValues(parsed, "--command", "--parameters").flatMap(commandsIn);
  return handOn(call, "aws", texts);
}

/** The commands in `commands=["a","b"]`, `commands=a` and `{"commands":["a"]}`. */
function commandsIn(text: string): string[] {
  const given = /^\s*\{?\s*"?commands?"?\s*[=:]\s*(.*)$/s.exec(text)?.[1];
  if (given === undefined) return [text];
  const quoted = [...given.matchAll(/"((?:\\.|[^"\\])*)"/g)].map((found) =>
    (found[1] ?? "").replace(/\\(.)/g, "$1"),
  );
  return quoted.length > 0 ? quoted : [given.replace(/^\[|\]\s*\}?$/g, "")];
}

/** `az vm run-command invoke --scripts text`, `az container exec --exec-command text`. */
export function az(call: Call): Stream | null {
  const parsed = readOptions(
    call.argv.slice(1),
    "ngd scripts exec-command command command-id name resource-group",
  );
  const texts = optionValues(parsed, "--scripts", "--exec-command");
  if (call.argv[1] === "ssh") texts.push(parsed.operands.slice(parsed.beforeDashes).join(" "));
  return texts.length === 0 ? null : handOn(call, "az", texts);
}

function handOn(call: Call, name: string, texts: readonly string[]): Stream | null {
  if (texts.length === 0) return null;
  recordStep(call, name);
  return inside(call, name, texts.join("\n"), away(call, "remote"));
}

/** `nix run flake#program -- words`. */
export function nix(call: Call): Stream | null {
  const words = call.argv.slice(1);
  const parsed = readOptions(words, "I", true);
  const [verb, ...rest] = parsed.operands;
  if (verb !== "run") return null;
  const [flake = "", ...given] = readOptions(rest, "I", true).operands;
  if (given[0] === "--") given.shift();
  return call.run.engine.inner(call, [baseOf(flake.replace(/^.*[#.:]/s, "")), ...given]);
}

interface Runner {
  readonly verbs: RegExp;
  /** The interpreter that the text goes to. */
  readonly as: readonly [string, string];
  /** The option in front of the text; the word after the verb without one. */
  readonly option?: readonly string[];
}

const csharp = ["dotnet-script", "eval"] as const;
const ruby = ["ruby", "-e"] as const;
const php = ["php", "-r"] as const;
const rails: Runner = { verbs: /^(?:runner|r)$/, as: ruby };
const django: Runner = { verbs: /^shell(?:_plus)?$/, as: ["python3", "-c"], option: ["-c", "--command"] };
const artisan: Runner = { verbs: /^tinker$/, as: php, option: ["--execute"] };

/** Frameworks whose own program runs a piece of code. */
const runners: Readonly<Record<string, Runner>> = {
  rails,
  "django-admin": django,
  "manage.py": django,
  artisan,
  dotnet: { verbs: /^script$/, as: csharp, option: ["eval"] },
  wp: { verbs: /^eval$/, as: php },
  drush: { verbs: /^(?:ev|eval|php:eval|php-eval)$/, as: php },
  mix: { verbs: /^(?:run|eval)$/, as: ["elixir", "-e"], option: ["-e", "--eval"] },
};

/** `rails runner code`, `python manage.py shell -c code`, `php artisan tinker --execute=code`. */
export function framework(call: Call, name: string): Stream | null {
  const scripted = /^(?:python[\d.]*|php|ruby)$/.test(name);
  const words = scripted ? call.argv.slice(2) : call.argv.slice(1);
  const program = scripted ? baseOf(call.argv[1] ?? "") : name;
  const runner = Object.hasOwn(runners, program) ? runners[program] : undefined;
  if (runner === undefined || !runner.verbs.test(words[0] ?? "")) return null;
  const parsed = readOptions(words.slice(1), "ce command execute eval environment");
  const code =
    runner.option === undefined
      ? parsed.operands[0]
      : (optionValue(parsed, ...runner.option) ??
        (words.slice(0, 2).includes("eval") ? parsed.operands.at(-1) : undefined));
  if (code === undefined) return null;
  recordStep(call, name);
  return call.run.engine.inner(call, [...runner.as, code]);
}
