// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { describe, expect, test } from "vitest";
import { analyse } from "../../src/shell/analyse.ts";
import { world } from "../guard-commands/world.ts";

/** Every place of a script in which a command can stand. */
const places: readonly string[] = [
  "mark",
  "a; mark",
  "a && mark",
  "a || mark",
  "a | mark",
  "mark | a",
  "a |& mark",
  "mark &",
  "! mark",
  "time mark",
  "( mark )",
  "{ mark; }",
  "if mark; then a; fi",
  "if a; then mark; fi",
  "if a; then b; elif mark; then c; fi",
  "if a; then b; elif c; then mark; fi",
  "if a; then b; else mark; fi",
  "while mark; do a; done",
  "until a; do mark; done",
  "for i in 1; do mark; done",
  "for i in $(mark); do a; done",
  "for ((i=0; i<1; i++)); do mark; done",
  "for ((i=$(mark); i<1; i++)); do a; done",
  "select i in 1; do mark; done",
  "case x in x) mark;; esac",
  "case $(mark) in x) a;; esac",
  "case x in $(mark)) a;; esac",
  "f() { mark; }; f",
  "f() ( mark ); f",
  "function f { mark; }; f",
  "coproc mark",
  "coproc { mark; }",
  "a $(mark)",
  "a `mark`",
  'a "$(mark)"',
  'a "x${y:-$(mark)}"',
  "a ${x:-$(mark)}",
  "a ${x:=$(mark)}",
  "a ${x:+$(mark)}",
  "a ${x/$(mark)/b}",
  "a ${x/b/$(mark)}",
  "a ${x#$(mark)}",
  "a ${x:$(mark):1}",
  "a ${x[$(mark)]}",
  "a $(( $(mark) + 1 ))",
  "(( $(mark) ))",
  "[[ -n $(mark) ]]",
  "[[ a == $(mark) ]]",
  "[[ ! ( a == b && -e $(mark) ) ]]",
  "x=$(mark)",
  "x=($(mark))",
  "x[$(mark)]=1",
  "x=$(mark) a",
  "export x=$(mark)",
  "declare -a x=($(mark))",
  "a <(mark)",
  "a >(mark)",
  "a > $(mark)",
  "a < <(mark)",
  "a <<< $(mark)",
  "a <<END\n$(mark)\nEND",
  "a <<END\n`mark`\nEND",
  "{ a; } > $(mark)",
  "a {b,$(mark)}",
  "a $(b $(c $(mark)))",
  "a `b \\`mark\\``",
  '[ -n "$(mark)" ]',
  "a\nmark\nb",
  "a \\\n && mark",
  "# comment\nmark",
  "trap mark EXIT",
  "eval mark",
  "alias m=mark; m",
  "bash -c mark",
  "bash <<< mark",
  "echo mark | sh",
  "find . -exec mark {} \\;",
  "xargs mark",
  "sudo -u a mark",
];

describe("a command is seen wherever it stands", () => {
  test.each(places)("%s", (script) => {
    const names = analyse(script, world).steps.map((step) => step.name);
    expect(names).toContain("mark");
  });
});

test("no simple command of a script is lost on the way", () => {
  const script = places.map((place) => place.replaceAll("mark", "mark2")).join("\n");
  const named = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command" && node.name !== undefined && node.name.parts === undefined)
      named.add(node.name.value);
    forEachChild(node, visit);
  };
  visit(parse(script));
  const seen = new Set(analyse(script, world).steps.map((step) => step.name));
  const silent = new Set([
    "eval",
    "trap",
    "alias",
    "export",
    "declare",
    "[",
    "m",
    "f",
    "sudo",
    "xargs",
    "b",
    "c",
  ]);
  expect([...named].filter((name) => !seen.has(name) && !silent.has(name))).toEqual([]);
});

test("words become what the shell would make of them", () => {
  const args = (script: string) => analyse(script, world).steps.at(-1)?.args;
  expect({
    quotes: args("a 'b c' \"d\"e f\\ g $'h\\ti'"),
    braces: args("a {b,c}{1..3} x{,y}"),
    tilde: args("a ~ ~/b ~root/c '~'"),
    variables: args("x=1 y='2 3'; a $x \"$y\" $y ${x}4"),
    defaults: args("a ${u:-b} ${HOME:+c}"),
    cuts: args("f=a/b.tar.gz; a ${f##*/} ${f%.*} ${f%%.*} ${f#a/} ${f/b/c}"),
    arrays: args("l=(b 'c d'); a \"${l[@]}\" ${l[1]}"),
    outputs: args("a $(echo b c) \"$(printf '%s-%s' d e)\""),
    here: args("read -r x y <<< 'b c d'; a $x \"$y\""),
  }).toEqual({
    quotes: ["b c", "de", "f g", "h\ti"],
    braces: ["b1", "b2", "b3", "c1", "c2", "c3", "x", "xy"],
    tilde: ["/home/dev", "/home/dev/b", "/root/c", "~"],
    variables: ["1", "2 3", "2", "3", "14"],
    defaults: ["b", "c"],
    cuts: ["b.tar.gz", "a/b.tar", "a/b", "b.tar.gz", "a/c.tar.gz"],
    arrays: ["b", "c d", "c", "d"],
    outputs: ["b", "c", "d-e"],
    here: ["b", "c d"],
  });
});
