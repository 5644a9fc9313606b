import type { Call, Stream } from "../model.ts";
import { baseOf } from "../place.ts";

/** Programs of which a command that matters begins with. */
const starters = new Set(
  "rm rimraf sudo doas su env sh bash zsh dash git dd mkfs chmod chown shred find xargs mv cp tee truncate python python3 node perl ruby dropdb psql kubectl docker terraform npx npm".split(
    " ",
  ),
);

/** Words after which a program that runs others expects the command. */
const verbs = new Set(["run", "exec", "shell", "x", "spawn", "activate", "--"]);

/** Options whose value such a program hands to a shell. */
const options =
  /^--(?:command|cmd|exec|execute|run|script|shell-command|on-change|on-success|preview|hook|before|after|run_under)(?:=|$)/;

/** Programs whose arguments are data, whatever they look like. */
const talkers = new Set(
  "echo printf ls cat head tail wc nl cut tr sort uniq stat file du df which whereis type whoami basename dirname realpath readlink sleep grep egrep fgrep rg ag ack cargo go dotnet gradle mvn rake make just deno npm git gh glab hub docker kubectl helm psql mysql sqlite3 mongos mongosh redis-cli man tldr cheat cowsay figlet say task todo jira llm claude codex gemini holdfast logger notify-send curl wget http jq gojq jaq yq aws gcloud az".split(
    " ",
  ),
);

/** A program that nobody told us about, with a whole command behind a word that announces one. */
export function unknownWrapper(call: Call, name: string): Stream | null {
  if (talkers.has(name)) return null;
  const words = call.argv.slice(1);
  words.forEach((word, at) => {
    const text =
      word.startsWith("--") && options.test(word)
        ? word.includes("=")
          ? word.slice(word.indexOf("=") + 1)
          : words[at + 1]
        : undefined;
    if (text?.includes(" ") === true) call.run.engine.text(call, text, call.scope, call.stdin);
  });
  const whole = words.find(
    (word, index) =>
      word.includes(" ") && isVerb(words, index - 1) && starters.has(word.split(" ", 1)[0] ?? ""),
  );
  if (whole !== undefined) return call.run.engine.text(call, whole, call.scope, call.stdin);
  const at = words.findIndex((word, index) => isVerb(words, index - 1) && starters.has(baseOf(word)));
  return at < 0 || at === words.length - 1 ? null : call.run.engine.inner(call, words.slice(at));
}

/** `--arg x 'git push'`: such an option gives the word after it a name for what follows. */
function isVerb(words: readonly string[], at: number): boolean {
  return verbs.has(words[at] ?? "") && !/^--?arg(?:json|str|s)?$/.test(words[at - 1] ?? "");
}
