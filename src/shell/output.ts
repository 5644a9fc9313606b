import {
  columns,
  decodeBase64,
  decodeHex,
  ends,
  escapes,
  pasted,
  reversed,
  substituted,
  translated,
} from "./filter.ts";
import { gitOutput } from "./git-output.ts";
import { grepped, listing, located, searched, treePaths } from "./listing.ts";
import { DEEP, EVERY_CONTAINER, EVERY_KEY, globbed, isKnown, PID_BY_NAME, SOME, STAR } from "./marks.ts";
import { type Call, joinStreams, noText, type Stream, textStream, unknownText, worse } from "./model.ts";
import { cloudText, hosted, network } from "./network-output.ts";
import { has, readOptions } from "./options.ts";
import { packageFolder } from "./package-folder.ts";
import { folderOf, resolved, temporary } from "./path-output.ts";
import { absolute, baseOf } from "./place.ts";
import { archiveOutput } from "./tools/archive.ts";

/** What a program prints, as far as the command line tells. */
export function printed(call: Call, name: string): Stream {
  const known = Object.hasOwn(printers, name) ? printers[name] : undefined;
  if (known !== undefined) return known(call);
  return { text: SOME, from: worse("program", call.stdin.from) };
}

/** The text of `printf format args`. */
export function formatText(words: readonly string[]): string {
  const [format = "", ...args] = words;
  if (args.length === 0) return escapes(format.replaceAll("%%", "%"));
  let output = "";
  let rest = args;
  do {
    let used = 0;
    const round = rest;
    output += escapes(format).replace(
      /%(?:[-+ #0]*\d*(?:\.\d+)?)([sbqdiuxXofeEgGc%])/g,
      (_, kind: string) => {
        if (kind === "%") return "%";
        const arg = round[used++] ?? "";
        return kind === "b" ? escapes(arg) : arg;
      },
    );
    if (used === 0) break;
    rest = rest.slice(used);
  } while (rest.length > 0 && output.length < 65_536);
  return output;
}

type Printer = (call: Call) => Stream;

const silent: Printer = () => noText;
const same: Printer = (call) => inputOf(call, fileOperands(call, "ncbkdfsjtLw lines bytes"));
const decoder: Printer = (call) => {
  const { from, files = [] } = inputOf(call, fileOperands(call));
  return { text: SOME, from: worse("decoder", from), files };
};

const printers: Readonly<Record<string, Printer>> = {
  echo: (call) => {
    const words = call.argv.slice(1);
    let decode = false;
    while (/^-[neE]+$/.test(words[0] ?? "")) decode ||= (words.shift() ?? "").includes("e");
    const text = words.join(" ");
    return textStream(`${decode ? escapes(text) : text}\n`);
  },
  printf: (call) => textStream(formatText(call.argv[1] === "--" ? call.argv.slice(2) : call.argv.slice(1))),
  cat: (call) => inputOf(call, fileOperands(call)),
  bat: (call) => inputOf(call, fileOperands(call)),
  tac: same,
  head: (call) => part(call, false),
  tail: (call) => part(call, true),
  sort: same,
  uniq: same,
  nl: same,
  fold: same,
  fmt: same,
  expand: same,
  shuf: same,
  pv: (call) => call.stdin,
  tee: (call) => {
    const append = call.argv.includes("-a");
    for (const file of fileOperands(call)) {
      const path = absolute(call.scope.cwd, file);
      const before = append ? call.scope.files.get(path) : undefined;
      call.scope.files.set(path, before === undefined ? call.stdin : joinStreams(before, call.stdin));
    }
    return call.stdin;
  },
  sponge: silent,
  grep: grepped,
  egrep: grepped,
  fgrep: grepped,
  rg: searched,
  ag: searched,
  cut: (call) => filtered(call, columns(inputOf(call, fileOperands(call, "cdfb")).text, call.argv.slice(1))),
  paste: (call) => filtered(call, pasted(call.stdin.text, call.argv.slice(1))),
  column: (call) => call.stdin,
  awk: (call) => filtered(call, call.stdin.text),
  jq: (call) => {
    const key = call.argv.map((word) => /^\.(\w+)$/.exec(word)?.[1]).find((one) => one !== undefined);
    const value =
      key === undefined ? null : new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]*)"`).exec(call.stdin.text);
    if (value !== null) return { text: value[1] ?? "", from: call.stdin.from };
    const constant = call.argv
      .map((word) => /^"([^"\\]*)"$/.exec(word)?.[1])
      .find((text) => text !== undefined);
    return { text: constant ?? SOME, from: worse("program", call.stdin.from) };
  },
  sed: (call) => filtered(call, substituted(call.stdin.text, call.argv.slice(1))),
  tr: (call) => filtered(call, translated(call.stdin.text, call.argv.slice(1))),
  rev: (call) => filtered(call, reversed(inputOf(call, fileOperands(call)).text)),
  base64: (call) =>
    decoded(call, has(readOptions(call.argv.slice(1), "wi"), "-d", "-D", "--decode"), decodeBase64),
  base32: (call) => decoded(call, has(readOptions(call.argv.slice(1), "w"), "-d", "--decode"), () => SOME),
  basenc: (call) => decoded(call, has(readOptions(call.argv.slice(1), "w"), "-d", "--decode"), () => SOME),
  openssl: (call) =>
    call.argv[1] === "s_client"
      ? network(call)
      : decoded(call, call.argv.includes("-d"), (text) =>
          call.argv.includes("aes") ? SOME : decodeBase64(text),
        ),
  xxd: (call) =>
    decoded(
      call,
      call.argv.some((word) => /^-\w*r/.test(word)),
      decodeHex,
    ),
  gunzip: decoder,
  zcat: decoder,
  gzcat: decoder,
  bunzip2: decoder,
  bzcat: decoder,
  unxz: decoder,
  xzcat: decoder,
  zstdcat: decoder,
  uudecode: decoder,
  strings: decoder,
  zbarimg: decoder,
  steghide: decoder,
  exiftool: decoder,
  lz4: whenDecoding,
  brotli: whenDecoding,
  age: whenDecoding,
  rage: whenDecoding,
  sops: whenDecoding,
  "ansible-vault": (call) => (call.argv[1] === "view" ? decoder(call) : unknownText),
  unzip: (call) => (call.argv.some((word) => /^-\w*p$/.test(word)) ? decoder(call) : unknownText),
  telnet: network,
  dig: network,
  aws: cloudText,
  gsutil: cloudText,
  rclone: cloudText,
  gcloud: cloudText,
  az: cloudText,
  ps: (call) =>
    call.argv.slice(1).some((word) => /^-?[aeA][a-zA-Z]*$/.test(word))
      ? textStream(PID_BY_NAME)
      : unknownText,
  gpg: (call) => (call.argv.some((word) => /^(?:-d|--decrypt)$/.test(word)) ? decoder(call) : unknownText),
  tar: archiveOutput,
  gtar: archiveOutput,
  bsdtar: archiveOutput,
  gh: hosted,
  glab: hosted,
  gzip: (call) => (has(readOptions(call.argv.slice(1)), "-d") ? decoder(call) : unknownText),
  xz: (call) => (has(readOptions(call.argv.slice(1)), "-d") ? decoder(call) : unknownText),
  bzip2: (call) => (has(readOptions(call.argv.slice(1)), "-d") ? decoder(call) : unknownText),
  zstd: (call) => (has(readOptions(call.argv.slice(1)), "-d") ? decoder(call) : unknownText),
  curl: network,
  wget: network,
  wget2: network,
  curlie: network,
  elinks: network,
  links: network,
  GET: network,
  "lwp-request": network,
  ftp: network,
  host: network,
  nslookup: network,
  fetch: network,
  http: network,
  https: network,
  xh: network,
  lynx: network,
  w3m: network,
  nc: network,
  ncat: network,
  netcat: network,
  aria2c: (call) => (call.argv.includes("-") ? { text: SOME, from: "network" } : noText),
  ls: listing,
  tree: (call) => treePaths(call),
  which: located,
  whereis: (call) => {
    const { text } = located(call);
    return textStream(text.replace(/^.*\/(.+)$/gm, "$1: $&"));
  },
  pwd: (call) => textStream(`${call.scope.cwd}\n`),
  dirname: (call) => textStream(`${folderOf(call.argv.at(-1) ?? "")}\n`),
  basename: (call) =>
    textStream(
      `${baseOf(call.argv[1] ?? "").replace(new RegExp(`${plainRegex(call.argv[2] ?? "")}$`), "")}\n`,
    ),
  realpath: resolved,
  readlink: resolved,
  mktemp: (call) => temporary(call),
  locate: (call) => textStream(`/${DEEP}/${globbed(call.argv.at(-1) ?? "")}\n`),
  mdfind: () => textStream(`/${DEEP}/${STAR}\n`),
  seq: (call) =>
    textStream(
      /^\d$/.test(call.argv[1] ?? "") && call.argv.length === 2 ? numbers(Number(call.argv[1])) : SOME,
    ),
  npm: packageFolder,
  pnpm: packageFolder,
  yarn: packageFolder,
  git: (call) => gitOutput(call),
  "redis-cli": (call) =>
    textStream(
      call.argv.some((word) => /^(?:keys|--scan)$/i.test(word)) ? `${EVERY_KEY}\n` : SOME,
      "program",
    ),
  docker: containers,
  podman: containers,
  nerdctl: containers,
  hostname: () => unknownText,
  pgrep: () => textStream(PID_BY_NAME),
  pidof: () => textStream(PID_BY_NAME),
  yes: (call) => textStream(`${call.argv.slice(1).join(" ") || "y"}\n`),
  mkdir: silent,
  touch: silent,
  rm: silent,
  cp: silent,
  mv: silent,
  ln: silent,
  chmod: silent,
  sleep: silent,
};

/** `docker ps -aq` without a filter: whatever there is on the machine. */
function containers({ argv }: Call): Stream {
  const lists =
    /^(?:ps|container|ls)$/.test(argv[1] ?? "") && !argv.some((word) => /^(?:-f|--filter)/.test(word));
  return lists ? textStream(`${EVERY_CONTAINER}\n`, "program") : unknownText;
}

/** `head` and `tail` of a text that is known. */
function part(call: Call, last: boolean): Stream {
  const { text, from } = same(call);
  return { text: isKnown(text) ? ends(text, call.argv.slice(1), last) : text, from };
}

function whenDecoding(call: Call): Stream {
  return call.argv.some((word) => /^-[a-z]*d|^--(?:decrypt|decompress)$|^decrypt$/.test(word))
    ? decoder(call)
    : unknownText;
}

/** The files named as operands, or standard input. */
function inputOf(call: Call, files: readonly string[]): Stream {
  const named = files.filter((file) => file !== "-" && file !== "/dev/stdin");
  if (named.length === 0) return call.stdin;
  const { scope } = call;
  const paths = named.map((file) => absolute(scope.cwd, file));
  if (files.length === named.length && !paths.some((path) => scope.files.has(path)))
    return { ...unknownText, files: paths };
  let output = files.length > named.length ? call.stdin : noText;
  for (const path of paths) output = joinStreams(output, scope.files.get(path) ?? unknownText);
  return output;
}

function fileOperands(call: Call, spec = "-"): readonly string[] {
  return readOptions(call.argv.slice(1), spec).operands;
}

/** Text that went through a filter: still from where it came, and unknown unless the filter could be done here. */
function filtered(call: Call, text: string): Stream {
  return { text: text === "" ? SOME : text, from: call.stdin.from === "text" ? "text" : call.stdin.from };
}

function decoded(call: Call, decodes: boolean, decode: (text: string) => string): Stream {
  if (!decodes) return { text: SOME, from: worse("program", call.stdin.from) };
  const files = fileOperands(call, "wiopslc").filter((file) => !/^(?:enc|base64|-)$/.test(file));
  const input = inputOf(call, call.argv[0] === "openssl" ? [] : files);
  const text = isKnown(input.text) ? decode(input.text) : SOME;
  return { text: text === "" ? SOME : text, from: worse("decoder", input.from) };
}

function plainRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function numbers(count: number): string {
  return Array.from({ length: count }, (_, at) => `${at + 1}\n`).join("");
}
