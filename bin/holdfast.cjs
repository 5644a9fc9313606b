#!/usr/bin/env node
// The one program. `holdfast hook …` is what agents call before every tool: it loads one bundle through V8's
// code cache, others for command lines that are looked into, and nothing else. Everything else is the command line tool.
"use strict";
const path = require("node:path");

/** What the first bundle loads through V8's code cache as well, when it needs it. */
const parts = ["./commands.cjs", "./foreign.cjs", "./lists.cjs"];
const mostSaves = 10;

/** What the command line tool needs of the hook's bundles; it keeps no code cache. */
exports.part = (name) => load(name, false);

if (process.argv[2] === "hook") {
  try {
    load("hook.cjs").main();
  } catch (error) {
    // A hook that cannot start must not stop the agent.
    process.stderr.write(`holdfast: could not start, nothing was checked (${error?.message})\n`);
    usable(() => leaveCrumb(`the program could not start: ${error?.message}`), undefined);
    process.exitCode = 0;
  }
} else {
  import("./cli.js").then(
    (cli) => cli.main(),
    (error) => {
      process.stderr.write(
        `holdfast: this installation is damaged: ${error?.message}\nReinstall it: npm install -g holdfast\n`,
      );
      process.exitCode = 3;
    },
  );
}

/**
 * Runs a bundle with V8's code cache, kept per bundle, Node version and architecture in a folder only this
 * user can write. V8 checks a cache's source by its length alone, so the name carries the bundle's hash.
 * A cache holds the functions that have run so far. The first call of a session is never a tool's, so later calls
 * add theirs: the second always, the others ever more rarely, ten times in all. Its last byte counts them.
 */
function load(name, cached = true) {
  const fs = require("node:fs");
  const vm = require("node:vm");
  const file = path.join(__dirname, name);
  const source = fs.readFileSync(file, "latin1");
  const cache = cached ? usable(() => cacheFile(fs, source), null) : null;
  const kept = cache === null ? undefined : usable(() => readOwn(fs, cache), undefined);
  const script = new vm.Script(source, { filename: file, cachedData: kept?.subarray(0, -1) });
  const module = { exports: {} };
  const loadPart = (id) => (parts.includes(id) ? load(id, cached) : require(id));
  script.runInThisContext()(module.exports, loadPart, module, file, __dirname);
  const saved = kept === undefined || script.cachedDataRejected ? 0 : kept[kept.length - 1];
  if (cache !== null && saved < mostSaves && Math.random() < 2 ** (1 - saved)) {
    // After the answer, so that the functions that ran are in the cache.
    process.once("exit", () => saveCache(fs, cache, script, saved + 1));
  }
  return module.exports;
}

/** The same record as the launcher's, which doctor shows. */
function leaveCrumb(text) {
  const home = ownHome();
  if (home === null || process.env.HOLDFAST_DOCTOR) return;
  const [, , , agent, event] = process.argv;
  const at = new Date().toISOString();
  const cwd = usable(() => process.cwd(), undefined);
  const line = JSON.stringify({ at, agent, event, text: text.split("\n")[0], cwd });
  require("node:fs").appendFileSync(path.join(home, "breadcrumbs.log"), `${line}\n`, { mode: 0o600 });
}

function ownHome() {
  const home = process.env.HOLDFAST_HOME || (process.env.HOME && path.join(process.env.HOME, ".holdfast"));
  return home && path.isAbsolute(home) ? home : null;
}

function cacheFile(fs, source) {
  const id = /^\/\* bundle ([0-9a-f]{16}) \*\//.exec(source)?.[1];
  if (id === undefined || process.platform === "win32") return null;
  const home = ownHome();
  if (home === null) return null;
  const folder = path.join(home, "cache");
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (stat && (!stat.isDirectory() || stat.uid !== process.getuid() || (stat.mode & 0o022) !== 0))
    return null;
  return path.join(folder, `hook-${id}-${process.version}-${process.arch}.bin`);
}

function readOwn(fs, file) {
  return fs.lstatSync(file).uid === process.getuid() ? fs.readFileSync(file) : undefined;
}

/** A cache that cannot be had makes a start slower, and must not prevent it. */
function usable(look, otherwise) {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

function saveCache(fs, file, script, saves) {
  try {
    // Not recursive: the hook itself has made Holdfast's folder, and where it could not there is no cache.
    if (!fs.existsSync(path.dirname(file))) fs.mkdirSync(path.dirname(file), { mode: 0o700 });
    const temp = `${file}.${process.pid}`;
    fs.writeFileSync(temp, Buffer.concat([script.createCachedData(), Buffer.of(saves)]), {
      mode: 0o600,
      flag: "wx",
    });
    fs.renameSync(temp, file);
  } catch {
    // Slower next time, no harm done.
  }
}
