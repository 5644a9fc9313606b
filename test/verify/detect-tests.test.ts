import { describe, expect, it } from "vitest";
import type { Files } from "../../src/policies/context.ts";
import { detectTests } from "../../src/policies/verify/detect-tests.ts";

type Tree = Readonly<Record<string, string>>;

function disk(tree: Tree): Files {
  const paths = Object.keys(tree).map((name) => `/p/${name}`);
  return {
    readText: (path) => tree[path.slice("/p/".length)] ?? null,
    exists: (path) => paths.some((known) => known === path || known.startsWith(`${path}/`)),
    list: (dir) => [
      ...new Set(
        paths
          .filter((path) => path.startsWith(`${dir}/`))
          .map((path) => path.slice(dir.length + 1).split("/")[0] ?? ""),
      ),
    ],
    isLink: () => false,
    times: () => null,
    members: async () => null,
  };
}

const detect = (tree: Tree, cwd = "/p") => detectTests("/p", cwd, disk(tree));
const script = (test: string, more = {}) => JSON.stringify({ scripts: { test }, ...more });
const found = (command: string, from: string, dir = "/p") => ({ command, dir, from, note: "" });

describe("the test command", () => {
  it.each<[string, string, Tree]>([
    ["cargo test", "Cargo.toml", { "Cargo.toml": "[package]\nname='a'" }],
    [
      "cargo test --workspace",
      "Cargo.toml",
      { "Cargo.toml": "[package]\nname='a'\n[workspace]\nmembers=['b']" },
    ],
    ["npm test", "package.json", { "package.json": script("vitest run") }],
    ["npm test", "package.json", { "package.json": script("vitest"), "package-lock.json": "" }],
    ["pnpm test", "package.json", { "package.json": script("jest"), "pnpm-lock.yaml": "" }],
    ["yarn test", "package.json", { "package.json": script("jest"), "yarn.lock": "" }],
    ["bun run test", "package.json", { "package.json": script("bun test"), "bun.lock": "" }],
    ["bun test", "package.json", { "package.json": "{}", "bun.lockb": "", "src/a.test.ts": "" }],
    [
      "pnpm test",
      "package.json",
      { "package.json": script("x", { packageManager: "pnpm@9.1.0" }), "yarn.lock": "" },
    ],
    [
      "yarn test",
      "package.json",
      { "package.json": script("x", { devEngines: { packageManager: { name: "yarn" } } }) },
    ],
    ["npm test -- --watch=false", "package.json", { "package.json": script("ng test") }],
    ["npm test", "package.json", { "package.json": script("vitest --watch=false") }],
    ["npm test", "package.json", { "package.json": script("react-scripts test") }],
    ["pytest", "pyproject.toml", { "pyproject.toml": "[project]\nname='a'" }],
    ["pytest", "pyproject.toml", { "pyproject.toml": "" }],
    ["pytest", "pyproject.toml", { "pyproject.toml": "[tool.pytest.ini_options]" }],
    ["pytest", "pytest.ini", { "pytest.ini": "" }],
    ["pytest", "setup.cfg", { "setup.cfg": "[tool:pytest]" }],
    ["uv run pytest", "pyproject.toml", { "pyproject.toml": "[project]", "uv.lock": "" }],
    ["poetry run pytest", "pyproject.toml", { "pyproject.toml": "[tool.poetry]", "poetry.lock": "" }],
    [".venv/bin/python -m pytest", "pytest.ini", { "pytest.ini": "", ".venv/bin/python": "" }],
    ["tox", "tox.ini", { "tox.ini": "[tox]\nenvlist=py3" }],
    ["python manage.py test", "manage.py", { "manage.py": "" }],
    ["go test ./...", "go.mod", { "go.mod": "module x" }],
    ["deno task test", "deno.json", { "deno.json": '{"tasks":{"test":"deno test -A"}}' }],
    ["deno test", "deno.jsonc", { "deno.jsonc": "// none\n{}" }],
    ["./gradlew test", "gradlew", { gradlew: "", "build.gradle.kts": "" }],
    ["gradle test", "build.gradle", { "build.gradle": "" }],
    ["./mvnw -B test", "mvnw", { mvnw: "", "pom.xml": "" }],
    ["mvn -B test", "pom.xml", { "pom.xml": "" }],
    ["mix test", "mix.exs", { "mix.exs": "" }],
    ["bundle exec rspec", ".rspec", { ".rspec": "", Gemfile: "" }],
    ["bundle exec rake test", "Rakefile", { Rakefile: "Rake::TestTask.new", Gemfile: "" }],
    ["bin/rails test", "bin/rails", { "bin/rails": "", "test/a.rb": "", Gemfile: "" }],
    ["composer test", "composer.json", { "composer.json": '{"scripts":{"test":"phpunit"}}' }],
    ["vendor/bin/phpunit", "phpunit.xml.dist", { "phpunit.xml.dist": "" }],
    ["dotnet test", "App.sln", { "App.sln": "", "A.csproj": "" }],
    ["swift test", "Package.swift", { "Package.swift": "" }],
    ["flutter test", "pubspec.yaml", { "pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n" }],
    ["zig build test", "build.zig", { "build.zig": 'b.step("test", "Run tests")' }],
    ["just test", "justfile", { justfile: "build:\n  x\ntest *args:\n  x\n" }],
    [
      "task test",
      "Taskfile.yml",
      { "Taskfile.yml": "version: '3'\ntasks:\n  build:\n  test:\n    cmds: [x]\n" },
    ],
    ["make test", "Makefile", { Makefile: "all: x\n\ntest: all\n\t./t\n" }],
    [
      "cmake --build build && ctest --test-dir build --output-on-failure",
      "CMakeLists.txt",
      { "CMakeLists.txt": "", "build/CTestTestfile.cmake": "" },
    ],
  ])("%s from %s (%#)", (command, from, tree) => {
    expect(detect(tree)).toEqual(found(command, from));
  });

  it.each<[string, Tree]>([
    ["nothing", {}],
    ["npm's placeholder", { "package.json": script('echo "Error: no test specified" && exit 1') }],
    ["a package without a test script", { "package.json": '{"scripts":{"build":"x"}}' }],
    ["a package file that does not parse", { "package.json": "{" }],
    ["a pyproject that configures a formatter", { "pyproject.toml": "[tool.black]\nline-length = 100\n" }],
    ["a Makefile without the target", { Makefile: "tests = a b\ntest := x\ntesting:\n\tx\n" }],
    ["a CMake project that was not built", { "CMakeLists.txt": "" }],
  ])("is unknown for %s", (_what, tree) => {
    expect(detect(tree)).toBeNull();
  });

  it.each(["nodemon --exec mocha", "jest --watch", "jest --watchAll", "vitest watch", "tsc --watch"])(
    "is not a script that waits for changes: %s",
    (test) => {
      expect(detect({ "package.json": script(test) })).toMatchObject({ command: null, from: "package.json" });
    },
  );

  it("is that of the root, else that of the package around the working directory", () => {
    const one = { "packages/one/package.json": script("x"), "pnpm-lock.yaml": "", "package.json": "{}" };
    expect(detect(one, "/p/packages/one/src")).toEqual(found("pnpm test", "package.json", "/p/packages/one"));
    expect(detect(one)).toBeNull();
    expect(detect({ ...one, "go.mod": "" }, "/p/packages/one")).toEqual(found("go test ./...", "go.mod"));
    expect(detect(one, "/elsewhere")).toBeNull();
  });
});
