import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { globMatcher } from "../../src/paths/glob.ts";
import { guarding } from "./world.ts";

const guard = guarding();
const word = fc.stringMatching(/^[a-z][a-z0-9_]{2,8}$/);
const plainName = word.filter((name) => !["secrets", "migrations"].includes(name));

/** Protected paths below the project, as a person would write them. */
const protectedPath = fc.oneof(
  plainName.map((name) => `.env.${name}`),
  plainName.map((name) => `src/${name}/.env`),
  plainName.map((name) => `certs/${name}.pem`),
  plainName.map((name) => `${name}.key`),
  fc.tuple(plainName, plainName).map(([folder, name]) => `secrets/${folder}/${name}.txt`),
  plainName.map((name) => `.github/workflows/${name}.yml`),
  plainName.map((name) => `migrations/${name}.sql`),
  fc.constant(".env"),
);

/** Names that look a little like protected ones but are not. */
const openPath = fc.oneof(
  plainName.map((name) => `src/${name}.ts`),
  plainName.map((name) => `.envrc.${name}`),
  plainName.map((name) => `${name}.pem.txt`),
  plainName.map((name) => `${name}.keys`),
  plainName.map((name) => `src/secrets/${name}`),
  plainName.map((name) => `secrets_${name}/x`),
  plainName.map((name) => `.github/${name}.md`),
  plainName.map((name) => `db/migrations/${name}.sql`),
  plainName.map((name) => `${name}.env`),
);

type Respelling = (path: string, pick: () => number) => string;

/** Ways to write the same path that the file system itself resolves. */
const resolved: Respelling[] = [
  (path) => `./${path}`,
  (path) => `/home/dev/app/${path}`,
  (path) => `../app/${path}`,
  (path) => `nowhere/../${path}`,
  (path) => path.replaceAll("/", "//"),
  (path) => path.replaceAll("/", "/./"),
  (path) => `~/app/${path}`,
  (path) => `file:///home/dev/app/${path}`,
];

const lookalike: Readonly<Record<string, string>> = {
  e: "е",
  a: "а",
  o: "о",
  c: "с",
  i: "і",
  s: "ѕ",
  p: "р",
  n: "ｎ",
};

/** Ways that some system, tool or eye takes for the same path. */
const disguised: Respelling[] = [
  ...resolved,
  (path, pick) => [...path].map((char) => (pick() % 2 === 0 ? char.toUpperCase() : char)).join(""),
  (path) => path.replaceAll("/", "\\"),
  (path) => `${path}.`,
  (path) => `${path} `,
  (path) => `${path}::$DATA`,
  (path, pick) => insert(path, pick, "\u200b"),
  (path, pick) => insert(path, pick, "\u2060"),
  (path, pick) => [...path].map((char) => (pick() % 2 === 0 ? (lookalike[char] ?? char) : char)).join(""),
  (path) => path.normalize("NFD"),
];

function insert(path: string, pick: () => number, extra: string): string {
  const at = pick() % (path.length + 1);
  return path.slice(0, at) + extra + path.slice(at);
}

function respelled(ways: readonly Respelling[], most: number): fc.Arbitrary<(path: string) => string> {
  const steps = fc.array(
    fc.tuple(fc.constantFrom(...ways), fc.array(fc.nat(50), { minLength: 1, maxLength: 8 })),
    {
      maxLength: most,
    },
  );
  return steps.map((chosen) => (path) => {
    let text = path;
    for (const [way, picks] of chosen) {
      let turn = 0;
      text = way(text, () => picks[turn++ % picks.length] ?? 0);
    }
    return text;
  });
}

describe("every generated spelling", () => {
  it("of a protected path hits", () => {
    fc.assert(
      fc.property(protectedPath, respelled(disguised, 1), (path, spell) => {
        expect(guard.hit(spell(path)), spell(path)).not.toBeNull();
      }),
      { numRuns: 3000 },
    );
  });

  it("of a relative protected path hits when several are combined", () => {
    const relative = disguised.filter((way) => !/^(?:\/|~|file)/.test(way("x", () => 0)));
    fc.assert(
      fc.property(protectedPath, respelled(relative, 4), (path, spell) => {
        expect(guard.hit(spell(path)), spell(path)).not.toBeNull();
      }),
      { numRuns: 3000 },
    );
  });

  it("of a near miss does not", () => {
    fc.assert(
      fc.property(openPath, respelled(disguised, 1), (path, spell) => {
        expect(guard.hit(spell(path)), spell(path)).toBeNull();
        expect(guard.hitTree(spell(path)), spell(path)).toBeNull();
      }),
      { numRuns: 3000 },
    );
  });

  it("never throws, whatever the pattern and the path", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(..."[]{}*?!^-,./\\~:a. \0\u200b".split("")), maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (paths, path) => {
        const any = guarding([...paths, ".env"], { except: paths.slice(0, 1) });
        for (const found of [any.hit(path), any.hitTree(path), any.hitGlob(path)]) {
          if (found !== null) expect([...paths, ".env"]).toContain(found.pattern);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("globs", () => {
  /** The slow, obvious reading of a glob, to hold the quick one against. */
  function slowly(glob: readonly string[], path: readonly string[]): boolean {
    const [head, ...rest] = glob;
    if (head === undefined) return path.length === 0;
    if (head === "**") return slowly(rest, path) || (path.length > 0 && slowly(glob, path.slice(1)));
    return path.length > 0 && slowlyNamed([...head], [...(path[0] ?? "")]) && slowly(rest, path.slice(1));
  }

  function slowlyNamed(glob: readonly string[], name: readonly string[]): boolean {
    const [head, ...rest] = glob;
    if (head === undefined) return name.length === 0;
    if (head === "*") return slowlyNamed(rest, name) || (name.length > 0 && slowlyNamed(glob, name.slice(1)));
    return name.length > 0 && (head === "?" || head === name[0]) && slowlyNamed(rest, name.slice(1));
  }

  const globName = fc.oneof(
    { weight: 1, arbitrary: fc.constant("**") },
    { weight: 3, arbitrary: fc.stringMatching(/^[ab*?]{1,5}$/).filter((name) => !/^\*\*+$/.test(name)) },
  );
  const fileName = fc.stringMatching(/^[ab]{1,5}$/);

  it("match as read letter by letter", () => {
    fc.assert(
      fc.property(
        fc.array(globName, { minLength: 1, maxLength: 4 }),
        fc.array(fileName, { minLength: 1, maxLength: 4 }),
        (glob, path) => {
          const single = glob.map((name) => (name === "**" ? name : name.replace(/\*+/g, "*")));
          expect(globMatcher(glob.join("/"))(path.join("/"))).toBe(slowly(single, path));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("that name a protected path by a letter of its name are seen", () => {
    const wild = fc.tuple(protectedPath, fc.nat(200)).map(([path, at]) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const keep = 1 + (at % name.length);
      return { path, glob: `${path.slice(0, path.length - name.length)}${name.slice(0, keep)}*` };
    });
    fc.assert(
      fc.property(wild, ({ path, glob }) => {
        const spelled = defaultSettings.protect.paths.some((pattern) => {
          const literal = pattern.replace(/[*].*$/, "");
          return literal !== "" && glob.startsWith(literal);
        });
        fc.pre(spelled);
        expect(guard.hitGlob(glob), `${glob} for ${path}`).not.toBeNull();
      }),
    );
  });
});
