import { noteFetched } from "../fetched.ts";
import { STAR } from "../marks.ts";
import { type Call, copyScope, noText } from "../model.ts";
import { has, optionValue, optionValues, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { touch } from "../record.ts";

/** Programs of a project's tool chain whose subcommand decides what they write. */
export const projectTools: Readonly<Record<string, (call: Call) => void>> = {
  ruff,
  csplit,
  mktemp: temporary,
  "ansible-vault": vault,
  go: (call) => outputOf(call, /^(?:build|test)$/, "oCp", ["-o"]),
  gh: hosting,
  dotenv: settings,
  dotenvx: settings,
  crudini: (call) => {
    const { options, operands } = readOptions(call.argv.slice(1), "- output format list-sep");
    const file = operands[0];
    if (file !== undefined && options.some(([name]) => /^--(?:set|del|merge)$/.test(name)))
      touch(call, "write", file, "crudini changes the file");
  },
  fastmod: (call) => {
    const parsed = readOptions(call.argv.slice(1), "dge dir glob iglob extensions");
    const folders = [...optionValues(parsed, "-d", "--dir"), ...parsed.operands.slice(2)];
    for (const path of folders) touch(call, "write", path, "fastmod changes the files", { tree: true });
  },
  dasel: (call) => {
    const parsed = readOptions(call.argv.slice(1), "frvtws file read value type write selector");
    const file = optionValue(parsed, "-f", "--file");
    if (/^(?:put|delete)$/.test(parsed.operands[0] ?? "") && file !== null)
      touch(call, "write", file, "dasel changes the file");
  },
  replace: (call) => {
    const at = call.argv.indexOf("--");
    if (at > 0)
      for (const file of call.argv.slice(at + 1)) touch(call, "write", file, "replace changes the file");
  },
  keytool: (call) => {
    if (call.argv.some((word) => /^-(?:list|printcert|certreq)$/.test(word))) return;
    const at = call.argv.findIndex((word) => /^-(?:keystore|destkeystore)$/.test(word));
    const file = call.argv[call.argv.indexOf("-file") + 1];
    if (at > 0) touch(call, "write", call.argv[at + 1] ?? "", "keytool writes its store", { keeps: true });
    if (call.argv.some((word) => /^-export(?:cert)?$/.test(word)) && file !== undefined)
      touch(call, "write", file, "keytool exports");
  },
  "dotenv-vault": (call) => {
    const { operands } = readOptions(call.argv.slice(1), "m");
    if (/^(?:pull|decrypt)$/.test(operands[0] ?? ""))
      touch(call, "write", operands[2] ?? ".env", "dotenv-vault pull writes its file");
  },
  fsutil: (call) => {
    const [kind = "", verb = "", path] = call.argv.slice(1);
    if (
      /^(?:file|hardlink)$/i.test(kind) &&
      /^(?:createnew|create|setzerodata)$/i.test(verb) &&
      path !== undefined
    )
      touch(call, "write", path, "fsutil makes the file");
  },
  sops,
  step: (call) => {
    const { operands } = readOptions(
      call.argv.slice(1),
      "- profile ca ca-key kty curve size not-after san output-file",
    );
    if (!/^(?:certificate create|ca certificate|crypto keypair)$/.test(operands.slice(0, 2).join(" ")))
      return;
    for (const file of operands.slice(2)) touch(call, "write", file, "step writes the key or certificate");
  },
  cosign: (call) => {
    const parsed = readOptions(call.argv.slice(1), "- output-key-prefix kms");
    if (parsed.operands[0] !== "generate-key-pair" || optionValue(parsed, "--kms") !== null) return;
    const name = optionValue(parsed, "--output-key-prefix") ?? "cosign";
    touch(call, "write", `${name}.key`, "cosign writes the key");
  },
  "git-crypt": (call) => {
    if (call.argv[1] === "export-key")
      touch(call, "write", call.argv.at(-1) ?? "", "git-crypt exports the key");
  },
  sqlfluff: (call) => {
    const [verb, ...files] = readOptions(call.argv.slice(1), "d dialect config rules").operands;
    if (/^(?:fix|format)$/.test(verb ?? ""))
      for (const file of files) touch(call, "write", file, "sqlfluff changes the files", { tree: true });
  },
  doppler: (call) => {
    const { operands, options } = readOptions(call.argv.slice(1), "pct project config token format");
    if (operands[1] === "download" && !options.some(([name]) => name === "--no-file"))
      touch(call, "write", operands[2] ?? "doppler.env", "doppler saves the secrets");
  },
  migrate: newMigration,
  goose: newMigration,
  dbmate: newMigration,
  sqlx: newMigration,
  knex: newMigration,
  typeorm: newMigration,
  "node-pg-migrate": newMigration,
  sequelize: newMigration,
  "sequelize-cli": newMigration,
  psql: sqlClient,
  mysql: sqlClient,
  mariadb: sqlClient,
  sqlite3: database,
  duckdb: database,
  dos2unix: lineEnds,
  unix2dos: lineEnds,
};

function ruff(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "- config select ignore exclude line-length target-version");
  const [verb, ...paths] = parsed.operands;
  const formats = verb === "format" && !has(parsed, "--check", "--diff");
  const fixes =
    verb === "check" && has(parsed, "--fix", "--fix-only", "--add-noqa") && !has(parsed, "--diff");
  if (!formats && !fixes) return;
  for (const path of paths) touch(call, "write", path, "ruff changes the files", { tree: true });
}

function csplit(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "bfn suffix-format prefix digits");
  const prefix = optionValue(parsed, "-f", "--prefix") ?? "xx";
  touch(call, "write", `${prefix}${STAR}`, "csplit writes pieces named after its prefix");
}

function temporary(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "pt? tmpdir suffix");
  const folder = optionValue(parsed, "-p", "--tmpdir");
  const template = parsed.operands[0] ?? "tmp.XXXX";
  if (has(parsed, "-u", "--dry-run") || (folder === null && !template.includes("/"))) return;
  const name = template.replace(/X{3,}/, STAR);
  touch(call, "write", folder === null ? name : `${folder}/${name}`, "mktemp makes a file", { keeps: true });
}

function vault(call: Call): void {
  const parsed = readOptions(
    call.argv.slice(1),
    "- output vault-id vault-password-file new-vault-id new-vault-password-file encrypt-vault-id",
  );
  const [verb = "", ...files] = parsed.operands;
  if (!/^(?:create|edit|encrypt|decrypt|rekey)$/.test(verb)) return;
  const output = optionValue(parsed, "--output");
  for (const file of output === null ? files : [output])
    touch(call, "write", file, `ansible-vault ${verb} changes the file`);
}

/** How a file is changed that lies in a repository of the hosting service. */
export const writesRemote = "the file is written in the repository on the server";

function hosting(call: Call): void {
  ghDownload(call);
  const { operands, options } = readOptions(
    call.argv.slice(1),
    "XfFHqt method field raw-field header input jq template",
  );
  const method = options.find(([name]) => name === "-X" || name === "--method")?.[1]?.toUpperCase() ?? "";
  const file = /^\/?repos\/[^/]+\/[^/]+\/contents\/([^?]+)/.exec(operands[1] ?? "")?.[1];
  if (operands[0] === "repo" && operands[1] === "clone" && operands[3] !== undefined)
    touch(call, "write", operands[3], "gh repo clone fills the folder", { keeps: true, tree: true });
  if (operands[0] === "release" && operands[1] === "download") {
    const given = readOptions(call.argv.slice(3), "pROD pattern output dir repo");
    for (const name of optionValues(given, "-p", "--pattern", "-O", "--output"))
      noteFetched(call.scope, name);
  }
  if (operands[0] !== "api" || file === undefined || !/^(?:PUT|DELETE)$/.test(method)) return;
  touch(call, "write", absolute(call.run.world.root ?? call.scope.cwd, file), writesRemote);
}

/** Without `--clobber` a release's file is not written over one that is there (cli/cli 2.x; docs, 2026-11-30). */
function ghDownload(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "DORnp dir output repo name pattern");
  const [group = "", verb] = parsed.operands;
  if (!/^(?:run|release|attestation)$/.test(group)) return;
  const keeps = group === "release" && verb === "download" && !has(parsed, "--clobber");
  for (const path of optionValues(parsed, "-O", "--output"))
    touch(call, "write", path, "gh writes its output", { keeps });
  for (const path of optionValues(parsed, "-D", "--dir"))
    touch(call, "write", path, "gh writes into the folder", { tree: true, keeps: true });
}

function outputOf(call: Call, verbs: RegExp, spec: string, names: readonly string[]): void {
  const parsed = readOptions(call.argv.slice(1), spec);
  if (!verbs.test(parsed.operands[0] ?? "")) return;
  for (const path of optionValues(parsed, ...names))
    touch(call, "write", path, `${call.argv[0]} writes its output`);
}

/** `sops file` opens an editor; `-i` and some of its commands change the file without one. */
function sops(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "k age kms pgp input-type output-type output set extract");
  const [verb = "", ...rest] = parsed.operands;
  const command =
    /^(?:edit|updatekeys|rotate|set|unset|encrypt|decrypt|publish|exec-env|exec-file|filestatus|keyservice|groups|completion)$/.test(
      verb,
    );
  const looks = has(parsed, "-d", "--decrypt", "-e", "--encrypt", "-r", "--rotate", "--version");
  const changes = command ? /^(?:edit|updatekeys|set|unset)$/.test(verb) : !looks;
  const files = command ? rest : parsed.operands;
  if (changes || has(parsed, "-i", "--in-place"))
    for (const file of /^(?:un)?set$/.test(verb) ? files.slice(0, 1) : files)
      touch(call, "write", file, "sops changes the file");
  for (const file of optionValues(parsed, "--output")) touch(call, "write", file, "sops writes its output");
}

/** `migrate create -dir migrations name`: a new file in the folder that is named. */
function newMigration(call: Call): void {
  const words = call.argv.slice(1);
  if (!words.some((word) => /^(?:create|new|add|migrat(?:e|ion):(?:make|create|generate))$/.test(word)))
    return;
  const parsed = readOptions(
    words.map((word) => word.replace(/^-(?=(?:dir|ext|path|seq)\b)/, "--")),
    "d dir ext path source migrations-dir migrations-directory migrations-path",
  );
  const folders = optionValues(
    parsed,
    "-d",
    "--dir",
    "--path",
    "--source",
    "--migrations-dir",
    "--migrations-directory",
    "--migrations-path",
  );
  const named = parsed.operands.filter((word) => word.includes("/"));
  for (const folder of [...folders, ...named])
    touch(call, "write", folder, `${call.argv[0]} makes a migration`, { tree: true, keeps: true });
}

/** `dotenv set KEY value` writes `.env` where no file is named. */
function settings(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "feqk file env-file quote export env-keys-file");
  if (!/^(?:set|unset|encrypt|decrypt|rotate)$/.test(parsed.operands[0] ?? "")) return;
  const files = optionValues(parsed, "-f", "--file", "--env-file");
  for (const file of files.length === 0 ? [".env"] : files)
    touch(call, "write", file, `${call.argv[0]} changes the file`);
}

/** The shell of sqlite has commands of its own, which begin with a dot. */
function database(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "cs cmd init separator nullvalue newline");
  const given = optionValues(parsed, "-cmd", "--cmd", "-c", "-s");
  const texts = [...parsed.operands.slice(1), ...given, call.stdin.text];
  const all = texts.join("\n");
  const [file] = parsed.operands;
  if (
    file !== undefined &&
    file !== ":memory:" &&
    changes.test(all) &&
    !has(parsed, "-readonly", "--readonly")
  )
    touch(call, "write", file, "sqlite3 changes its database", { keeps: true });
  for (const found of all.matchAll(/^\s*\.(?:shell|system)\s+(.+)$/gm))
    call.run.engine.text(call, found[1] ?? "", copyScope(call.scope), noText);
  for (const found of all.matchAll(sqlOutput))
    touch(call, "write", found[1] ?? found[2] ?? "", `${call.argv[0]} writes its output`);
  for (const found of all.matchAll(dotCommand))
    touch(call, "write", (found[1] ?? "").replace(/^(["'])(.*)\1$/, "$2"), "sqlite3 writes its output");
}

/** What a client of a database writes here, and the commands it hands to a shell. */
function sqlClient(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "chdUpfvFRTPLoeDuS output log-file command execute");
  for (const file of call.argv[0] === "psql"
    ? optionValues(parsed, "-o", "--output", "-L", "--log-file")
    : [])
    touch(call, "write", file, "psql writes its output");
  const texts = [...optionValues(parsed, "-c", "--command", "-e", "--execute"), call.stdin.text];
  for (const text of texts) {
    for (const found of text.matchAll(/^\s*(?:\\!|system\s)\s*(.+)$/gm))
      call.run.engine.text(call, found[1] ?? "", copyScope(call.scope), noText);
    for (const found of text.matchAll(
      /^\s*\\copy\b.*?\bto\s+'?([^\s';]+)|^\s*\\(?:o|out)\s+'?([^\s';|]+)|\binto\s+(?:out|dump)file\s+'([^']+)'/gim,
    ))
      touch(call, "write", found[1] ?? found[2] ?? found[3] ?? "", "the client writes its output");
  }
}

const changes =
  /(?:^|;)\s*(?:create|insert|update|delete|drop|alter|replace|vacuum|with\b[\s\S]*\b(?:insert|update|delete)\b)\b/i;

const sqlOutput =
  /\bwritefile\(\s*'([^']+)'|\b(?:vacuum\b[^;']{0,40}\binto|copy\b[^;]{0,2000}?\bto|export\s+database)\s+'([^']+)'/gi;

const dotCommand =
  /^\s*\.(?:output|once|backup|save|clone|log|excel)\s+(?:-\w+\s+)*(?:main\s+)?("[^"\n]*"|'[^'\n]*'|[^\s|]\S*)/gm;

/** With `-n`, every second file is written; else all. */
function lineEnds(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "c convmode");
  const pairs = has(parsed, "-n", "--newfile");
  for (const [at, file] of parsed.operands.entries())
    if (!pairs || at % 2 === 1) touch(call, "write", file, `${call.argv[0]} writes the file`);
}
