import { patchTouches } from "../../patch/apply-patch.ts";
import { edInput, editor, unpack } from "../foreign.ts";
import type { Call } from "../model.ts";
import { has, optionValue, optionValues, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { touch } from "../record.ts";
import { tar, unzip, zipInPlace } from "./archive.ts";
import { copy, fileTransfer, install, link, move, rsync, secureCopy, transferLocal } from "./copy.ts";
import { patch } from "./diff.ts";
import { rename, sed, split } from "./edit.ts";
import { aria, curl, httpie, wget } from "./fetch.ts";
import { gitTool } from "./git.ts";
import { packageManager } from "./packages.ts";
import { projectTools } from "./project.ts";

/** Packers of which few commands have any, beside tar and unzip. */
const packers = "7z 7za 7zr 7zz ar cpio jar pax tarfile unar zipfile".split(" ");

/** Programs whose arguments need more than a line of the table. */
export const specialTools: Readonly<Record<string, (call: Call) => void>> = {
  cp: copy,
  gcp: copy,
  copyfile: copy,
  ditto: copy,
  mv: move,
  gmv: move,
  ln: link,
  gln: link,
  link: link,
  install,
  ginstall: install,
  scp: secureCopy,
  sftp: fileTransfer,
  pscp: secureCopy,
  rsync,
  dd: diskDump,
  gdd: diskDump,
  dcfldd: diskDump,
  tar,
  gtar: tar,
  bsdtar: tar,
  unzip,
  mkcert,
  npm: packageManager,
  pnpm: packageManager,
  yarn: packageManager,
  gzip: zipInPlace,
  gunzip: zipInPlace,
  bzip2: zipInPlace,
  bunzip2: zipInPlace,
  xz: zipInPlace,
  unxz: zipInPlace,
  lzma: zipInPlace,
  zstd: zipInPlace,
  unzstd: zipInPlace,
  compress: zipInPlace,
  uncompress: zipInPlace,
  pigz: zipInPlace,
  patch,
  gpatch: patch,
  sed,
  split,
  gsplit: split,
  gsed: sed,
  ed: edInput,
  ex: editor,
  vi: editor,
  vim: editor,
  nvim: editor,
  view: editor,
  emacs: editor,
  rename,
  convert: lastOperand,
  magick: lastOperand,
  ffmpeg: lastOperand,
  "file-rename": rename,
  prename: rename,
  mmv: rename,
  curl,
  curlie: curl,
  wget,
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
  aria2c: aria,
  axel: aria,
  git: gitTool,
  hub: gitTool,
  gio: (call) => {
    if (call.argv[1] !== "trash" && call.argv[1] !== "remove") return;
    const action = call.argv[1] === "trash" ? "move" : "delete";
    for (const path of readOptions(call.argv.slice(2)).operands)
      touch(call, action, path, `gio ${call.argv[1]}`, { tree: action === "move" });
  },
  docker: imageFiles,
  podman: imageFiles,
  nerdctl: imageFiles,
  kubectl: containerCopy,
  oc: containerCopy,
  aws: cloudCopy,
  gsutil: cloudCopy,
  gcloud: cloudCopy,
  rclone: cloudCopy,
  mc: cloudCopy,
  s3cmd: cloudCopy,
  az: (call) => {
    const parsed = readOptions(call.argv.slice(1), "fd file destination");
    if (!parsed.operands.includes("download")) return;
    for (const path of optionValues(parsed, "-f", "--file"))
      touch(call, "write", path, "az downloads to a file");
  },
  vercel: envPull,
  vc: envPull,
  php: (call) => {
    if (call.argv[2] !== "key:generate" || call.argv.includes("--show")) return;
    touch(call, "write", ".env", "key:generate writes the key");
  },
  ...Object.fromEntries(packers.map((name) => [name, (call: Call) => unpack(call, name)])),
  ...projectTools,
  apply_patch: applyPatch,
  applypatch: applyPatch,
  socat: (call) => {
    for (const word of call.argv.slice(1)) {
      const found = /^(?:open|create|file|gopen):([^,]+)/i.exec(word);
      if (found?.[1] !== undefined) touch(call, "write", found[1], "socat writes a file");
    }
  },
};

/** ImageMagick and ffmpeg write what is named last, unless that is what they read. */
function lastOperand(call: Call): void {
  const target = call.argv.at(-1) ?? "";
  const isInput = call.argv.at(-2) === "-i";
  if (call.argv.length > 2 && !isInput && !target.startsWith("-"))
    touch(call, "write", target, "the result is written");
}

function diskDump(call: Call): void {
  for (const word of call.argv.slice(1)) {
    if (word.startsWith("of=")) {
      touch(call, "write", word.slice(3), "dd writes its of=");
      if (call.stdin.text !== "") call.scope.files.set(absolute(call.scope.cwd, word.slice(3)), call.stdin);
    }
    if (word.startsWith("if=")) touch(call, "read", word.slice(3), "dd reads its if=");
  }
}

/** `docker save -o`, `docker export -o`, `docker build -o`: an image or its files are put into a file or folder. */
function imageFiles(call: Call): void {
  containerCopy(call);
  const words = call.argv.slice(1).filter((word) => !/^(?:image|container|buildx|builder)$/.test(word));
  if (!/^(?:save|export|build)$/.test(words[0] ?? "")) return;
  const parsed = readOptions(words.slice(1), "oftc output file tag build-arg target platform secret");
  for (const output of optionValues(parsed, "-o", "--output")) {
    const path = output.includes("=") ? /(?:^|,)dest=([^,]+)/.exec(output)?.[1] : output;
    if (path === undefined || path === "-") continue;
    touch(call, "write", path, "the image is written", {
      tree: words[0] === "build",
      keeps: words[0] === "build",
    });
  }
}

function containerCopy(call: Call): void {
  const { operands } = readOptions(call.argv.slice(1), "ncH context namespace container host kubeconfig");
  const at = operands.indexOf("cp");
  if (at < 0 || at > 2) return;
  transferLocal(call, operands.slice(at + 1));
}

const transfers = new Set(["cp", "copy", "copyto", "sync", "mv", "move", "moveto", "get", "rsync", "mirror"]);

function cloudCopy(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "- profile region endpoint-url project include exclude");
  if (has(parsed, "--dryrun", "--dry-run")) return;
  for (const word of call.argv) {
    const file = /^--(?:out-file|output-file|cli-output-file)=(.+)$/s.exec(word)?.[1];
    if (file !== undefined) touch(call, "write", file, "the answer is saved");
  }
  const [service, request, ...rest] = parsed.operands;
  if (service === "s3api" && /^get-object(?:-torrent)?$/.test(request ?? ""))
    touch(call, "write", rest.at(-1) ?? "", "the object is saved");
  const at = parsed.operands.findIndex((word) => transfers.has(word));
  const verb = parsed.operands[at];
  if (at < 0 || at > 2 || verb === undefined) return;
  transferLocal(call, parsed.operands.slice(at + 1), verb.startsWith("m") && verb !== "mirror");
}

function envPull(call: Call): void {
  const { operands } = readOptions(call.argv.slice(1), "tS token scope environment");
  if (operands[0] === "env" && operands[1] === "pull") {
    touch(call, "write", operands[2] ?? ".env.local", "env pull writes its file");
  }
}

function applyPatch(call: Call): void {
  const text = call.argv[1] ?? call.stdin.text;
  for (const change of patchTouches(text))
    touch(call, change.action, change.path, "apply_patch changes the file");
}

/** `mkcert localhost ::1` writes `localhost+1.pem` and `localhost+1-key.pem`, unless the files are named. */
function mkcert(call: Call): void {
  const words = call.argv.slice(1).map((word) => word.replace(/^-(?=[a-z])/, "--"));
  const parsed = readOptions(words, "- key-file cert-file p12-file csr");
  const named = ["--cert-file", "--key-file", "--p12-file"].map((option) => optionValue(parsed, option));
  for (const file of named) if (file !== null) touch(call, "write", file, "mkcert writes its output");
  const [first] = parsed.operands;
  const [certificate, key, both] = named;
  if (first === undefined || both !== null) return;
  const more = parsed.operands.length > 1 ? `+${parsed.operands.length - 1}` : "";
  const name = `${first.replaceAll(":", "_").replace("*", "_wildcard")}${more}`;
  if (certificate === null) touch(call, "write", `${name}.pem`, "mkcert names the certificate by its host");
  if (key === null) touch(call, "write", `${name}-key.pem`, "mkcert names the key by its host");
}
