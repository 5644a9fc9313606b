// Bundles the product into dist/: the program, the hook path (CommonJS, for V8's code cache), the parts it
// loads only when it needs them (commands.cjs, which understands command lines; foreign.cjs, for what in them is not
// the shell's own language; lists.cjs, for which files a program lists or takes; compile.cjs, which reads a manifest
// that changed), and the command line tool.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = process.env.HOLDFAST_DIST ?? join(root, "dist");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

export const rawText = {
  name: "raw-text",
  setup(build) {
    build.onResolve({ filter: /\?raw$/ }, (args) => ({
      path: join(args.resolveDir, args.path.slice(0, -"?raw".length)),
      namespace: "raw-text",
    }));
    build.onLoad({ filter: /.*/, namespace: "raw-text" }, (args) => ({
      contents: readFileSync(args.path, "utf8"),
      loader: "text",
    }));
  },
};

// The manifest compiler brings a YAML parser along; the hook loads it from its own file, only when needed.
const separateCompiler = {
  name: "separate-compiler",
  setup(build) {
    build.onResolve({ filter: /manifest\/load\.ts$/ }, (args) =>
      args.kind === "dynamic-import" ? { path: "./compile.cjs", external: true } : undefined,
    );
  },
};

// What a start need not load costs it nothing. Understanding commands is most of the hook path, and a file tool
// needs none of it; of the agents only the one that calls is needed. The sources import both as usual.
const lazyParts = {
  name: "lazy-parts",
  setup(build) {
    loadCommandsBy(build, 'require("./commands.cjs")');
    build.onLoad({ filter: /src\/agents\/index\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const folders = [...text.matchAll(/from "(\.\/[^"]+\/index\.ts)"/g)].map((match) => match[1]);
      const getters = folders.map((folder) => {
        const id = JSON.stringify(folder.split("/")[1]);
        return `get ${id}() { return require(${JSON.stringify(folder)}).agent; },`;
      });
      return { contents: `export const agents = {\n${getters.join("\n")}\n};`, loader: "js" };
    });
  },
};

// The command line tool understands commands by the very bundle that the hook has, and does not ship it twice.
const hooksCommands = {
  name: "hooks-commands",
  setup: (build) => loadCommandsBy(build, 'require("./holdfast.cjs").part("commands.cjs")'),
};

function loadCommandsBy(build, source) {
  build.onLoad({ filter: /policies\/guard\/command-line\.ts$/ }, () => ({
    contents: `let part;
const commands = () => (part ??= ${source});
export const judgeChanges = (...call) => commands().judgeChanges(...call);
export const judgeCommand = (...call) => commands().judgeCommand(...call);
export const weigh = (...call) => commands().weigh(...call);`,
    loader: "js",
  }));
  build.onResolve({ filter: /^\.\/(?:commands|holdfast)\.cjs$/ }, ({ path }) => ({ path, external: true }));
}

// What few commands need of the understanding of commands.
const fewNeed = {
  name: "few-need",
  setup(build) {
    build.onLoad({ filter: /policies\/guard\/lists\.ts$/ }, () => ({
      contents: `let part;
const lists = () => (part ??= require("./lists.cjs"));
export const takenBy = (...call) => lists().takenBy(...call);
export const leavingOut = (...call) => lists().leavingOut(...call);
export const isIn = (...call) => lists().isIn(...call);
export const revsOf = (...call) => lists().revsOf(...call);`,
      loader: "js",
    }));
    build.onLoad({ filter: /src\/shell\/foreign\.ts$/ }, () => ({
      contents: `let part;
const foreign = () => (part ??= require("./foreign.cjs"));
export const runInterpreter = (...call) => foreign().runInterpreter(...call);
export const edInput = (...call) => foreign().edInput(...call);
export const editor = (...call) => foreign().editor(...call);
export const noteNamed = (...call) => foreign().noteNamed(...call);
export const onlyDocuments = (...call) => foreign().onlyDocuments(...call);
export const unpack = (...call) => foreign().unpack(...call);
export const runPowerShell = (...call) => foreign().runPowerShell(...call);
export const runIfCmdlet = (...call) => foreign().runIfCmdlet(...call);`,
      loader: "js",
    }));
    build.onResolve({ filter: /^\.\/(?:foreign|lists)\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  minify: true,
  keepNames: false,
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "warning",
  // ASCII alone: V8 keeps such a source at one byte a character and reads it without decoding.
  charset: "ascii",
  plugins: [rawText],
  define: { __HOLDFAST_VERSION__: JSON.stringify(version) },
  // jsonc-parser's main entry hides its requires from a bundler; its ESM entry does not.
  mainFields: ["module", "main"],
};

/** What a hook runs through V8's code cache. */
const hookParts = ["hook.cjs", "commands.cjs", "foreign.cjs", "lists.cjs"];

export async function build() {
  const [[hook, compile, cli], commands] = await Promise.all([others(), understanding()]);
  const results = [hook, ...commands, compile, cli];
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const inputs = new Set();
  for (const result of results) {
    for (const file of result.outputFiles) {
      const name = file.path.split("/").at(-1);
      const id = createHash("sha256").update(file.contents).digest("hex").slice(0, 16);
      // What the hook loads is one function expression, so that the program compiles the file as it is.
      const text = hookParts.includes(name)
        ? `/* bundle ${id} */(function (exports, require, module, __filename, __dirname) {${ascii(file.text)}\n})`
        : file.text;
      writeFileSync(join(out, name), text);
    }
    for (const input of Object.keys(result.metafile.inputs)) inputs.add(input);
  }
  // The nearest package.json says "module" in a checkout as in the published package; .cjs is CommonJS in both.
  writeFileSync(join(out, "package.json"), '{ "type": "module" }\n');
  copyFileSync(join(root, "bin/holdfast.cjs"), join(out, "holdfast.cjs"));
  chmodSync(join(out, "holdfast.cjs"), 0o755);
  writeFileSync(join(out, "THIRD_PARTY_NOTICES"), notices([...inputs]));
  return results.map((result) => result.metafile);
}

function others() {
  return Promise.all([
    esbuild.build({
      ...common,
      plugins: [rawText, separateCompiler, lazyParts],
      // A script run through V8's code cache has no import(); require() does the same here.
      supported: { "dynamic-import": false },
      entryPoints: ["src/runtime/hook.ts"],
      format: "cjs",
      outfile: "hook.cjs",
    }),
    esbuild.build({
      ...common,
      entryPoints: ["src/manifest/load.ts"],
      format: "cjs",
      outfile: "compile.cjs",
    }),
    esbuild.build({
      ...common,
      plugins: [rawText, hooksCommands],
      entryPoints: ["src/cli/main.ts"],
      format: "esm",
      outfile: "cli.js",
      banner: {
        js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);',
      },
    }),
  ]);
}

/** The bundles that understand commands: what is loaded for every one that is looked into, and what few need. */
function understanding() {
  return Promise.all([
    esbuild.build({
      ...common,
      plugins: [rawText, fewNeed],
      entryPoints: ["src/policies/guard/command-line.ts"],
      format: "cjs",
      outfile: "commands.cjs",
    }),
    esbuild.build({
      ...common,
      entryPoints: ["src/shell/foreign.ts"],
      format: "cjs",
      outfile: "foreign.cjs",
    }),
    esbuild.build({
      ...common,
      entryPoints: ["src/policies/guard/lists.ts"],
      format: "cjs",
      outfile: "lists.cjs",
    }),
  ]);
}

/** esbuild escapes strings; what is left stands in regular expressions, where the escape means the same. */
function ascii(text) {
  return text.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function notices(inputs) {
  const names = new Set();
  for (const input of inputs) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) names.add(match[1]);
  }
  const parts = [...names].sort().map((name) => {
    const folder = join(root, "node_modules", name);
    const { version: v, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${v} (${license})\n\n${licenseText(folder)}`;
  });
  return `Holdfast's bundles contain these packages.\n\n${parts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

function licenseText(folder) {
  for (const name of ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "License"]) {
    try {
      return readFileSync(join(folder, name), "utf8");
    } catch {
      // The next usual name.
    }
  }
  return "";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
