import { describe, expect, test } from "vitest";
import { decide, judge } from "./world.ts";

describe("broken text", () => {
  test.each([
    ["rm -rf / `", "ask"],
    ["&& git push --force", "ask"],
    ["; ; rm -rf ~", "ask"],
    ["if true; then rm -rf /", "ask"],
    ["( ( rm -rf /", "ask"],
    ["rm -rf / <<END\nno end", "ask"],
    ["ls ) rm -rf /", "ask"],
    ["rm -rf /\0", "ask"],
    ["git push --force\0--dry-run", "ask"],
    ["echo x > .env; fi", "deny"],
    ["( cat <<'E' | sh\ngit push \"--force\"\nE )", "ask"],
    ["( cat <<'E' | sh\nnpm publish \"--dry-run\"\nE )", "allow"],
    ["echo 'open", "allow"],
    ["", "allow"],
    ["  \t ", "allow"],
    ["#", "allow"],
    ["\\", "allow"],
    [">", "allow"],
    ["ls\r\n", "allow"],
    ["echo \ud800", "allow"],
    ["echo \ue000\ue001\ue002", "allow"],
  ])("%j → %s", (command, verdict) => {
    expect(decide(command)).toBe(verdict);
  });
});

describe("text that is too much to follow is asked about", () => {
  test.each([
    ["long", `echo ${"a".repeat(70_000)}`],
    ["nested substitutions", `${"$(".repeat(400)}ls${")".repeat(400)}`],
    ["nested process substitutions", `cat ${"<(cat ".repeat(300)}x${")".repeat(300)}`],
    ["substitutions side by side", `echo ${'"$(ls)"'.repeat(1100)}`],
    ["nested groups", `${"( ".repeat(300)}ls`],
    ["nested shells", nestedShells(40)],
    ["here-documents", "cat <<A\nx\nA\n".repeat(300)],
    ["words", `echo ${"a ".repeat(31_000)}`],
    ["a path", `rm -rf ${"a/".repeat(10_000)}`],
    ["text that doubles itself", `a=aaaaaaaaaa; ${"a=$a$a; ".repeat(40)}echo $a`],
    ["text that doubles itself in quotes", `a=aaaaaaaaaa; ${'a="$a$a"; '.repeat(40)}echo "$a"`],
    ["variables times commands", `${Array.from({ length: 1000 }, (_, at) => `v${at}=x; ls; `).join("")}`],
    ["files", `rm ${many(2500, "a")}`],
    ["folders", `rm -rf ${many(400, "a")}`],
    ["wildcards", `rm ${many(400, "a*")}`],
  ])("%s", (_, command) => {
    const { verdict, analysis } = judge(command);
    expect({ decision: verdict.decision, by: verdict.by, why: analysis.incomplete !== null }).toEqual({
      decision: "ask",
      by: ["budget"],
      why: true,
    });
  });
});

test("many files, and one file many times, are weighed one by one", () => {
  const each = (count: number, text: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => text(at));
  expect({
    deleted: decide(`rm ${many(1900, "src/f")}`),
    formatted: decide(`npx prettier --write ${many(1900, "src/f")}`),
    linted: decide(`npx eslint --fix ${many(700, "src/f")}`),
    made: decide(each(600, (at) => `mkdir -p d${at} && echo ${at} > d${at}/x`).join(" && ")),
    appended: decide(each(900, (at) => `echo ${at} >> out.txt`).join("\n")),
    protectedAmongThem: decide(`rm ${many(1900, "src/f")} .env`),
    outsideAmongThem: decide(`rm ${many(1900, "src/f")} /etc/x`),
    protectedAfterThem: decide(`${each(900, (at) => `echo ${at} >> out.txt`).join("\n")}\necho x >> .env`),
  }).toEqual({
    deleted: "allow",
    formatted: "allow",
    linted: "allow",
    made: "allow",
    appended: "allow",
    protectedAmongThem: "deny",
    outsideAmongThem: "ask",
    protectedAfterThem: "deny",
  });
});

test("recursion ends", () => {
  expect({
    function: decide("f() { f; }; f"),
    alias: decide("alias a=a; a"),
    git: decide("git -c alias.x=x x"),
    both: decide("f() { g; }; g() { f; }; f"),
    sourced: decide("echo '. ./a.sh' > a.sh; . ./a.sh"),
  }).toEqual({ function: "allow", alias: "allow", git: "allow", both: "allow", sourced: "ask" });
});

test("a risky command behind much that is harmless is found", () => {
  expect({
    words: decide(`rm -rf ${"dist/a ".repeat(5000)}/`),
    assignments: decide(`${"A=1 ".repeat(2000)}rm -rf /`),
    commands: decide(`${"ls; ".repeat(2000)}rm -rf /`),
    wrappers: decide(`${"sudo ".repeat(20)}rm -rf /`),
  }).toEqual({ words: "ask", assignments: "ask", commands: "ask", wrappers: "ask" });
});

test("what a text that is too large to follow names outright is protected all the same", () => {
  const lines = "A=1 # it's\n".repeat(12_000);
  const words = many(20_000, "a");
  expect({
    document: decide(`cat > .env <<'EOF'\n${lines}EOF`),
    expanded: decide(`cat > .env <<EOF\n${lines}EOF`),
    ended: decide(`cat <<-EOF > .env\n${lines}\tEOF\nls`),
    echoed: decide(`echo ${"a".repeat(100_000)} > .env`),
    quoted: decide(`echo '${lines.replaceAll("'", "")}' > ".env"`),
    teed: decide(`echo a | tee ${words} .env`),
    touched: decide(`touch ${words} .env`),
    amongThem: decide(`touch ${words} .env ${words}`),
    behindMuch: decide(`${"ls; ".repeat(30_000)}sudo rm -f .env`),
    behindDocuments: decide(`cat > a.txt <<'A'\n${lines}A\nnpm test > .env`),
    continued: decide(`touch \\\n${words.replaceAll(" ", " \\\n")} \\\n.env`),
  }).toEqual({
    document: "deny",
    expanded: "deny",
    ended: "deny",
    echoed: "deny",
    quoted: "deny",
    teed: "deny",
    touched: "deny",
    amongThem: "deny",
    behindMuch: "deny",
    behindDocuments: "deny",
    continued: "deny",
  });
});

test("what a large text only speaks of is not refused", () => {
  const said = "rm .env; echo a > .env\n".repeat(6_000);
  expect({
    document: decide(`cat > a.sh <<'EOF'\n${said}EOF\nsh a.sh`),
    expanded: decide(`cat > a.txt <<EOF\n${said}EOF`),
    quoted: decide(`echo '${said}' > a.txt`),
    doubled: decide(`echo "${said}" > a.txt`),
    noted: decide(`ls ${said.replace(/^/gm, "# ")}`),
    moved: decide(`cd /tmp/b; ${"ls; ".repeat(30_000)}rm .env`),
    unclosed: decide(`echo it's ${said}`),
    example: decide(`touch ${many(20_000, "a")} a.env`),
  }).toEqual({
    document: "ask",
    expanded: "ask",
    quoted: "ask",
    doubled: "ask",
    noted: "ask",
    moved: "ask",
    unclosed: "ask",
    example: "ask",
  });
});

test("a long text that is only put into a file of the project passes", () => {
  const body = "rm -rf / # it's `a` $(b) <<X\n".repeat(4_000);
  const into = (path: string, mark = "EOF") => `cat > ${path} <<'${mark}'\n${body}${mark}\n`;
  expect({
    one: decide(into("src/a.ts")),
    several: decide(`${into("src/a.ts")}\n${into('"app/[id]/page.tsx"', "END")}`),
    turned: decide(`cat <<"EOF" >> src/a.ts\n${body}EOF`),
    empty: decide(`cat > b <<'E'\nE\n${into("src/a.ts")}`),
    protectedOne: decide(`${into("src/a.ts")}${into(".env")}`),
    outside: decide(into("~/.bashrc")),
    run: decide(`${into("a.sh")}sh a.sh`),
    afterItsEnd: decide(`${into("a.txt")}${body}`),
    expanded: decide(into("a.txt").replaceAll("'EOF'", "EOF")),
    piped: decide(`cat <<'EOF' | sh\n${body}EOF`),
    unended: decide(`cat > a.txt <<'EOF'\n${body}`),
    chosen: decide(into("$HOME/.bashrc")),
    own: decide(into("Makefile").replace("it's", "HOLDFAST=0")),
  }).toEqual({
    one: "allow",
    several: "allow",
    turned: "allow",
    empty: "allow",
    protectedOne: "deny",
    outside: "ask",
    run: "ask",
    afterItsEnd: "ask",
    expanded: "ask",
    piped: "ask",
    unended: "ask",
    chosen: "ask",
    own: "ask",
  });
});

function many(count: number, name: string): string {
  return Array.from({ length: count }, (_, at) => `${name}${at}`).join(" ");
}

function nestedShells(depth: number): string {
  return `${"eval eval ".repeat(depth)}ls`;
}
