import type { Files } from "../context.ts";
import { detectNode } from "./detect-node.ts";
import { detectPython } from "./detect-python.ts";

/** A test command, and how it was found. */
export interface Detected {
  /** Shell command; null when the project has tests that cannot be run here, see `note`. */
  readonly command: string | null;
  /** Directory to run it in, absolute. */
  readonly dir: string;
  /** The file that told, e.g. `package.json`. */
  readonly from: string;
  /** Why there is no command; else empty. */
  readonly note: string;
}

/** What one ecosystem says about a folder. */
export type Found = Pick<Detected, "command" | "from" | "note">;

/** One folder under examination. Names are relative to it. */
export interface Folder {
  readonly files: Files;
  readonly dir: string;
  /** Top of the project, where lock files of a workspace lie. */
  readonly root: string;
  has(name: string): boolean;
  /** Empty when absent. */
  text(name: string): string;
}

/**
 * The project's test command, told from its files: the root first, then the package around `cwd`.
 * Looks at names and small files only; null when nothing is recognised.
 */
export function detectTests(root: string, cwd: string, files: Files): Detected | null {
  for (const dir of [root, ...between(root, cwd)]) {
    const found = detectIn(folder(dir, root, files));
    if (found !== null) return { ...found, dir };
  }
  return null;
}

type Detector = (folder: Folder) => Found | null;

/** Languages before task runners: a Makefile often wraps more than the tests. */
const detectors: readonly Detector[] = [
  when("Cargo.toml", ({ text }) =>
    isMixedWorkspace(text("Cargo.toml")) ? "cargo test --workspace" : "cargo test",
  ),
  detectNode,
  detectPython,
  when("go.mod", () => "go test ./..."),
  when("go.work", () => "go test $(go list -f '{{.Dir}}/...' -m)"),
  when("deno.json", ({ text }) => deno(text("deno.json"))),
  when("deno.jsonc", ({ text }) => deno(text("deno.jsonc"))),
  when("gradlew", () => "./gradlew test"),
  when("build.gradle", () => "gradle test"),
  when("build.gradle.kts", () => "gradle test"),
  when("mvnw", () => "./mvnw -B test"),
  when("pom.xml", () => "mvn -B test"),
  when("mix.exs", () => "mix test"),
  when("rebar.config", () => "rebar3 eunit"),
  detectRuby,
  detectPhp,
  detectDotnet,
  when("Package.swift", () => "swift test"),
  when("pubspec.yaml", ({ text }) =>
    /sdk:\s*flutter/.test(text("pubspec.yaml")) ? "flutter test" : "dart test",
  ),
  when("build.sbt", () => "sbt test"),
  when("project.clj", () => "lein test"),
  when("stack.yaml", () => "stack test"),
  when("cabal.project", () => "cabal test all"),
  when("dune-project", () => "dune test"),
  when("gleam.toml", () => "gleam test"),
  when("shard.yml", ({ has }) => (has("spec") ? "crystal spec" : null)),
  when("foundry.toml", () => "forge test"),
  when("build.zig", ({ text }) => (/\bstep\(\s*"test"/.test(text("build.zig")) ? "zig build test" : null)),
  detectTaskRunner,
  when("CMakeLists.txt", ({ has }) =>
    has("build/CTestTestfile.cmake")
      ? "cmake --build build && ctest --test-dir build --output-on-failure"
      : null,
  ),
];

function detectIn(place: Folder): Found | null {
  for (const detect of detectors) {
    const found = detect(place);
    if (found !== null) return found;
  }
  return null;
}

function folder(dir: string, root: string, files: Files): Folder {
  const at = (name: string) => `${dir}/${name}`;
  return {
    files,
    dir,
    root,
    has: (name) => files.exists(at(name)),
    text: (name) => files.readText(at(name)) ?? "",
  };
}

/** Folders from `cwd` up to, not including, the root. */
function between(root: string, cwd: string): string[] {
  const dirs: string[] = [];
  for (let dir = cwd; dir.startsWith(`${root}/`); dir = dir.slice(0, dir.lastIndexOf("/"))) dirs.push(dir);
  return dirs;
}

function when(file: string, command: (folder: Folder) => string | null): Detector {
  return (place) => (place.has(file) ? found(command(place), file) : null);
}

function found(command: string | null, from: string): Found | null {
  return command === null ? null : { command, from, note: "" };
}

function isMixedWorkspace(text: string): boolean {
  return /^\[workspace\]/m.test(text) && /^\[package\]/m.test(text);
}

function deno(text: string): string {
  return /"tasks"\s*:\s*\{[^}]*"test"\s*:/.test(text) ? "deno task test" : "deno test";
}

function detectRuby({ has, text }: Folder): Found | null {
  const bundled = has("Gemfile") ? "bundle exec " : "";
  if (has(".rspec")) return found(`${bundled}rspec`, ".rspec");
  if (has("bin/rails") && has("test")) return found("bin/rails test", "bin/rails");
  if (/Rake::TestTask|^\s*task\s*\(?\s*:?["']?test\b/m.test(text("Rakefile"))) {
    return found(`${bundled}rake test`, "Rakefile");
  }
  return has("Gemfile") && has("spec") ? found("bundle exec rspec", "Gemfile") : null;
}

function detectPhp({ has, text }: Folder): Found | null {
  const composer = text("composer.json");
  if (/"scripts"\s*:\s*\{[^}]*"test"\s*:/.test(composer)) return found("composer test", "composer.json");
  if (composer.includes('"pestphp/pest"')) return found("vendor/bin/pest", "composer.json");
  const config = ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"].find(has);
  return config === undefined ? null : found("vendor/bin/phpunit", config);
}

function detectDotnet({ files, dir }: Folder): Found | null {
  const names = files.list(dir);
  const project = ["sln", "slnx", "csproj", "fsproj", "vbproj"]
    .map((ending) => names.find((name) => name.endsWith(`.${ending}`)))
    .find((name) => name !== undefined);
  return project === undefined ? null : found("dotnet test", project);
}

function detectTaskRunner({ has, text }: Folder): Found | null {
  const just = ["justfile", "Justfile", ".justfile"].find(has);
  if (just !== undefined && /^@?test\b[^:=\n]*:(?!=)/m.test(text(just))) return found("just test", just);
  const task = ["Taskfile.yml", "Taskfile.yaml"].find(has);
  if (task !== undefined && /^tasks:[\s\S]*^ {1,8}test:/m.test(text(task))) return found("task test", task);
  const make = ["GNUmakefile", "makefile", "Makefile"].find(has);
  if (make !== undefined && /^test\s*::?(?!=)/m.test(text(make))) return found("make test", make);
  return null;
}
