import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "./world.ts";

/** Commands as plain words, so that each word can be spelled in other ways. */
const risky: readonly (readonly string[])[] = [
  ["rm", "-rf", "/"],
  ["rm", "-r", "-f", "/etc"],
  ["git", "push", "--force"],
  ["git", "push", "-f", "origin", "main"],
  ["git", "push", "origin", "+main"],
  ["git", "commit", "--no-verify", "-m", "wip"],
  ["git", "reset", "--hard"],
  ["git", "clean", "-fdx"],
  ["dropdb", "app"],
  ["kubectl", "delete", "ns", "staging"],
  ["terraform", "destroy"],
  ["docker", "volume", "rm", "data"],
  ["npm", "publish"],
  ["chmod", "-R", "777", "/etc"],
  ["dd", "if=/dev/zero", "of=/dev/sda"],
  ["crontab", "-r"],
  ["shutdown", "-h", "now"],
  ["gh", "repo", "delete", "acme/app"],
];

const protectedWrites: readonly (readonly string[])[] = [
  ["rm", ".env"],
  ["cp", "a.txt", "secrets/token"],
  ["mv", "server.key", "old"],
  ["touch", "migrations/002.sql"],
  ["tee", ".github/workflows/ci.yml"],
  ["truncate", "-s", "0", "certs/a.pem"],
  ["git", "checkout", "--", ".env"],
];

const harmless: readonly (readonly string[])[] = [
  ["rm", "-rf", "dist"],
  ["rm", "-f", "a.log"],
  ["git", "push", "origin", "main"],
  ["git", "push", "--force-with-lease"],
  ["git", "commit", "-m", "rm -rf / and git push --force"],
  ["git", "log", "-n", "5"],
  ["cat", ".env"],
  ["cp", ".env", "/tmp/env-copy"],
  ["grep", "-r", "DROP TABLE", "src"],
  ["echo", "rm -rf /", "> .env"],
  ["kubectl", "get", "ns"],
  ["terraform", "plan", "-destroy"],
  ["npm", "publish", "--dry-run"],
  ["chmod", "+x", "scripts/a.sh"],
  ["touch", "src/secrets/a.ts"],
];

/** Other spellings of one word that a shell reads as the same word. */
function spelledWord(word: string): fc.Arbitrary<string> {
  const single = `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = [...word].map((char) => (/\w/.test(char) ? char : `\\${char}`)).join("");
  const hex = `$'${[...word].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")}'`;
  const middle = fc.nat({ max: Math.max(0, word.length - 1) });
  return fc.oneof(
    fc.constant(single),
    fc.constant(`"${word.replace(/["$`\\!]/g, "\\$&")}"`),
    fc.constant(escaped),
    fc.constant(hex),
    middle.map((at) => `${quotePart(word.slice(0, at))}''${quotePart(word.slice(at))}`),
    middle.map((at) => `${quotePart(word.slice(0, at))}"${word.slice(at).replace(/["$`\\!]/g, "\\$&")}"`),
    fc.constant(`$(echo ${single})`.replace(/^\$\((.*)\)$/s, /\s/.test(word) ? `"$($1)"` : "$($1)")),
    fc.constant(`"$(printf %s ${single})"`),
  );
}

function quotePart(part: string): string {
  return part === "" ? "" : `'${part.replaceAll("'", "'\\''")}'`;
}

function spelled(words: readonly string[]): fc.Arbitrary<string> {
  return fc.tuple(...words.map(spelledWord)).map((spellings) => spellings.join(" "));
}

function quoted(command: string): string {
  return `'${command.replaceAll("'", "'\\''")}'`;
}

/** Programs that run the one command behind them. */
const prefixes: readonly string[] = [
  "",
  "sudo ",
  "sudo -u root -- ",
  "sudo -EH A=1 ",
  "doas ",
  "env A=1 ",
  "env -u LANG PATH=/bin ",
  "A=1 B=2 ",
  "timeout -k 5 30 ",
  "nice -n 5 ",
  "ionice -c3 ",
  "nohup ",
  "setsid ",
  "stdbuf -oL ",
  "command ",
  "exec ",
  "busybox env ",
  "time ",
  "flock /tmp/lock ",
  "xargs -I@@ ",
  "strace -f -o /tmp/trace ",
];

/** Scripts that run another script. `end` is a word of their own, for here-documents within here-documents. */
const wrappings: readonly ((script: string, end: string) => string)[] = [
  (script) => script,
  (script) => `( ${script}\n)`,
  (script) => `{ ${script}\n}`,
  (script) => `true && { ${script}\n}`,
  (script) => `false || ( ${script}\n)`,
  (script) => `echo start; ${script}\necho end`,
  (script) => `if true; then ${script}\nfi`,
  (script) => `if false; then :; else ${script}\nfi`,
  (script) => `for i in 1 2; do ${script}\ndone`,
  (script) => `while true; do ${script}\nbreak; done`,
  (script) => `case x in *) ${script}\n;; esac`,
  (script, end) => `${end}() { ${script}\n}; ${end}`,
  (script) => `bash -c ${quoted(script)}`,
  (script) => `sh -ec ${quoted(script)}`,
  (script) => `sudo bash -lc ${quoted(script)}`,
  (script) => `eval ${quoted(script)}`,
  (script, end) => `${end}=${quoted(script)}; eval "$${end}"`,
  (script, end) => `${end}=${quoted(script)}; bash -c "$${end}"`,
  (script, end) => `bash <<'${end}'\n${script}\n${end}`,
  (script) => `bash <<< ${quoted(script)}`,
  (script) => `echo ${quoted(script)} | sh`,
  (script) => `printf '%s\\n' ${quoted(script)} | bash -s`,
  (script, end) => `cat <<'${end}' | sh\n${script}\n${end}`,
  (script) => `sh <(echo ${quoted(script)})`,
  (script) => `source <(printf %s ${quoted(script)})`,
  (script) => `trap ${quoted(script)} EXIT`,
  (script) => `echo "$( ${script}\n)"`,
  (script, end) => `printf %s ${quoted(script)} > ${end}.sh; sh ${end}.sh`,
  (script, end) => `cat > ${end}.sh <<'${end}'\n${script}\n${end}\nbash ./${end}.sh`,
  (script) => `xargs -I@@ sh -c ${quoted(script)} <<< x`,
  (script) => `find . -maxdepth 0 -exec sh -c ${quoted(script)} \\;`,
  (script) => `cd /home/dev/app && ${script}`,
  (script) => `(cd src && cd .. && ${script}\n)`,
];

function spellingsOf(commands: readonly (readonly string[])[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...commands).chain(spelled),
      fc.constantFrom(...prefixes),
      fc.constantFrom(...wrappings),
      fc.constantFrom(...wrappings),
    )
    .map(([command, prefix, inner, outer]) => outer(inner(prefix + command, "IN"), "OUT"));
}

const runs = { numRuns: 3000 };

describe("a spelling does not change the verdict", () => {
  test("of what is risky", () => {
    fc.assert(
      fc.property(spellingsOf(risky), (command) => {
        expect(decide(command)).toBe("ask");
      }),
      runs,
    );
  });

  test("of what changes a protected path", () => {
    fc.assert(
      fc.property(spellingsOf(protectedWrites), (command) => {
        expect(decide(command)).toBe("deny");
      }),
      runs,
    );
  });

  test("of what is harmless", () => {
    fc.assert(
      fc.property(spellingsOf(harmless), (command) => {
        expect(decide(command)).toBe("allow");
      }),
      runs,
    );
  });
});

describe("words put into variables", () => {
  const named = fc.constantFrom(...risky, ...protectedWrites).chain((words) =>
    fc.subarray(words.map((_, at) => at)).map((chosen) => {
      const assigned = chosen.map((at) => `v${at}=${quoted(words[at] ?? "")}`);
      const used = words.map((word, at) => (chosen.includes(at) ? `"$v${at}"` : quoted(word)));
      return { command: [...assigned, used.join(" ")].join("; "), plain: words.map(quoted).join(" ") };
    }),
  );

  test("count like the words themselves", () => {
    fc.assert(
      fc.property(named, ({ command, plain }) => {
        expect(decide(command)).toBe(decide(plain));
      }),
      runs,
    );
  });
});

test("words that are only data are never stopped", () => {
  const data: readonly ((text: string) => string)[] = [
    (text) => `echo ${quoted(text)}`,
    (text) => `printf '%s\\n' ${quoted(text)}`,
    (text) => `git commit -m ${quoted(text)}`,
    (text) => `grep -rn ${quoted(text)} .`,
    (text) => `rg ${quoted(text)} src`,
    (text) => `gh issue create --title x --body ${quoted(text)}`,
    (text) => `cat > notes.md <<'END'\n${text}\nEND`,
    (text) => `cat <<'END'\n${text}\nEND`,
    (text) => `# ${text}`,
    (text) => `ls # ${text}`,
    (text) => `x=${quoted(text)}; echo "$x"`,
    (text) => `test "$a" = ${quoted(text)}`,
    (text) => `[[ $a == ${quoted(text)} ]]`,
    (text) => `holdfast explain ${quoted(text)}`,
    (text) => `python3 -c ${quoted(`print(${JSON.stringify(text)})`)}`,
    (text) => `node -e ${quoted(`console.log(${JSON.stringify(text)})`)}`,
    (text) => `jq -n --arg a ${quoted(text)} '$a'`,
    (text) => `sed -n ${quoted(`/${text.replaceAll("/", "\\/")}/p`)} a.txt`,
    (text) => `git log --grep=${quoted(text)}`,
    (text) => `curl -s localhost:3000 -d ${quoted(text)}`,
  ];
  const commands = fc.tuple(
    fc.constantFrom(...data),
    fc.constantFrom(...risky, ...protectedWrites).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(commands, ([wrap, text]) => {
      expect(decide(wrap(text))).toBe("allow");
    }),
    { numRuns: 1500 },
  );
});
