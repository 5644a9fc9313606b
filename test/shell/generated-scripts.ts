// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import fc from "fast-check";
import { quoted, writes } from "./generated-writes.ts";

/** Names used by generated scripts. Only these, only below the working directory. */
const files = [
  "a.txt",
  "b.txt",
  "c d.txt",
  ".env",
  "sub/x.txt",
  "sub/y z.txt",
  "new.txt",
  "out/p.txt",
  "it's",
];
const folders = ["sub", "out", "deep/er"];

const file = fc.constantFrom(...files);
const folder = fc.constantFrom(...folders);

/** Spellings of one name that bash reads as that name. */
function spelled(name: string): fc.Arbitrary<string> {
  const double = `"${name}"`;
  const escaped = [...name].map((char) => (/[\w./]/.test(char) ? char : `\\${char}`)).join("");
  const half = Math.floor(name.length / 2);
  const plain = /^[\w./]+$/.test(name) ? [name, `{${name},b.txt}`.replace(/^\{(.*),b\.txt\}$/s, "$1")] : [];
  return fc.constantFrom(
    ...plain,
    quoted(name),
    double,
    escaped,
    `./${escaped}`,
    `sub/../${escaped}`,
    `"$PWD"/${escaped}`,
    `"$(printf %s ${quoted(name)})"`,
    `${quoted(name.slice(0, half))}${quoted(name.slice(half))}`,
    `"\${unset_name:-${name}}"`,
  );
}

const target = file.chain(spelled);
const source = fc.constantFrom("a.txt", "b.txt", "'c d.txt'", "sub/x.txt");

/** One command that writes, moves or deletes something. */
const simple: fc.Arbitrary<string> = fc.oneof(
  target.map((to) => `echo one > ${to}`),
  target.map((to) => `printf two >> ${to}`),
  target.map((to) => `echo three >| ${to}`),
  target.map((to) => `>${to}`),
  target.map((to) => `ls nothing 2> ${to}`),
  target.map((to) => `ls . nothing &> ${to}`),
  target.map((to) => `cat > ${to} <<END\nfour $PWD\nEND`),
  target.map((to) => `cat <<'END' > ${to}\nfive\nEND`),
  target.map((to) => `cat <<< six > ${to}`),
  target.map((to) => `tee ${to} <<< seven > /dev/null`),
  fc.tuple(target, target).map(([one, two]) => `echo eight | tee -a ${one} ${two} >/dev/null`),
  fc.tuple(source, target).map(([from, to]) => `cp ${from} ${to}`),
  fc.tuple(source, target).map(([from, to]) => `cp -f -- ${from} ${to}`),
  fc.tuple(source, folder).map(([from, to]) => `cp ${from} ${to}/`),
  fc.tuple(source, folder).map(([from, to]) => `cp -t ${to} ${from}`),
  fc.tuple(source, folder).map(([from, to]) => `cp --target-directory=${to} ${from}`),
  fc.tuple(source, target).map(([from, to]) => `mv ${from} ${to}`),
  fc.tuple(source, folder).map(([from, to]) => `mv -t ${to} ${from}`),
  fc.tuple(source, target).map(([from, to]) => `ln -sf ${from} ${to}`),
  fc.tuple(source, target).map(([from, to]) => `install -m 644 ${from} ${to}`),
  target.map((to) => `install -D a.txt ${to}`),
  target.map((to) => `touch ${to}`),
  target.map((to) => `truncate -s 3 ${to}`),
  target.map((to) => `dd if=a.txt of=${to} status=none`),
  target.map((to) => `sed -i s/text/nine/ ${to}`),
  target.map((to) => `sed -i.bak -e s/text/ten/ ${to}`),
  target.map((to) => `sed -n 'w new.txt' ${to}`),
  target.map((to) => `sort -o ${to} a.txt`),
  target.map((to) => `rm -f ${to}`),
  folder.map((to) => `rm -rf ${to}`),
  folder.map((to) => `mkdir -p ${to}/more`),
  target.map((to) => `unlink ${to}`),
  target.map((to) => `gzip -f ${to}`),
  target.map((to) => `split -n 1 a.txt ${to}`),
  target.map((to) => `awk '{ print > "new.txt" }' ${to}`),
  fc.constant("rm -f *.txt"),
  fc.constant("rm -f sub/*.txt b.tx?"),
  fc.constant("rm -f {a,b}.txt"),
  fc.constant("touch {p,q,r}{1..3}"),
  fc.constant("cp sub/*.txt out"),
  fc.constant("find sub -name '*.txt' -delete"),
  fc.constant("find . -name x.txt -exec sh -c 'echo eleven > \"$1\"' _ {} \\;"),
  fc.constant("find sub -type f -exec rm {} +"),
  fc.constant("ls *.txt | xargs -d '\\n' rm -f"),
  fc.constant("printf '%s\\0' a.txt b.txt | xargs -0 rm -f"),
  fc.constant("echo new.txt | xargs touch"),
  fc.constant("echo b.txt | xargs -I{} cp a.txt {}"),
  fc.constant('for f in *.txt; do echo twelve >> "$f"; done'),
  fc.constant('for f in a b; do touch "sub/$f.log"; done'),
  fc.constant('while read -r f; do rm -f "$f"; done <<< b.txt'),
  fc.constant('ls sub | while read -r f; do rm -f "sub/$f"; done'),
  fc.constant('f=new.txt; echo x > "${f%.txt}.md"'),
  fc.constant('f=sub/x.txt; echo x > "${f##*/}"'),
  fc.constant('f=a.txt; echo x > "${f/a/n}"'),
  fc.constant('f=NEW; echo x > "${f,,}.txt"'),
  fc.constant('names=(one two); touch "${names[@]}"'),
  fc.constant('set -- p q; touch "$@"'),
  fc.constant("read -r n _ <<< 'new.txt x'; touch \"$n\""),
  fc.constant('printf -v n %s.txt new; touch "$n"'),
  fc.constant('w() { echo x > "$1"; }; w new.txt'),
  fc.constant('w() { local d=$1; shift; cp "$@" "$d"; }; w out a.txt b.txt'),
  fc.constant("mv a.txt b.txt sub"),
  fc.constant("cp -r sub out/copy"),
  fc.constant("mv sub moved"),
  fc.constant("tar cf t.tar sub && tar xf t.tar -C out"),
  fc.constant("exec 3> new.txt; echo x >&3; exec 3>&-"),
  fc.constant("{ echo a; echo b; } > new.txt"),
  fc.constant("( cd sub && echo x > z.txt )"),
  fc.constant("pushd sub > /dev/null; touch pushed; popd > /dev/null; touch popped"),
  fc.constant("echo 'touch made' > run.sh; sh run.sh"),
  fc.constant("case a.txt in *.txt) touch cased;; esac"),
  fc.constant("cat <(touch substituted)"),
  fc.constant("echo x > >(cat > teed); wait $!"),
  fc.constant("perl -e 'open(F, \">pl.txt\"); print F 1'"),
  fc.constant("perl -pi -e 's/text/perl/' a.txt"),
);

/** Ways to run a script that do not change what it writes. */
const wrappings: readonly ((script: string) => string)[] = [
  (script) => script,
  (script) => `( ${script}\n)`,
  (script) => `{ ${script}\n}`,
  (script) => `bash -c ${quoted(script)}`,
  (script) => `eval ${quoted(script)}`,
  (script) => `bash <<< ${quoted(script)}`,
  (script) => `printf %s ${quoted(script)} | bash`,
  (script) => `if true; then ${script}\nfi`,
  (script) => `false || { ${script}\n}`,
  (script) => `fn() { ${script}\n}; fn`,
  (script) => `env A=1 bash -c ${quoted(script)}`,
  (script) => `: "$( ${script}\n)"`,
  (script) => `x=${quoted(script)}; bash -c "$x"`,
  (script) => `trap ${quoted(script)} EXIT`,
];

const wrapped = fc
  .tuple(fc.oneof(simple, writes), fc.constantFrom(...wrappings))
  .map(([script, wrap]) => wrap(script));

/** Scripts of one to three writing commands, wrapped in all kinds of ways. */
export const scripts: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(wrapped, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("; ", "\n", "\n", " && "),
    fc.boolean(),
  )
  .map(([parts, joint, inSub]) => {
    const ends = parts.some((part) => part.includes("<<")) ? "\n" : joint;
    const script = parts.join(ends);
    return inSub ? `mkdir -p sub; cd sub; cd ..\n${script}` : script;
  });
