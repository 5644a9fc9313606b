import { type Call, noText } from "../model.ts";
import { fact } from "../record.ts";
import { isAway } from "../tools/fetch.ts";
import type { Token } from "./lex.ts";
import type { CodeCall, Scan } from "./scan.ts";

const decoders =
  /^(?:b64decode|b32decode|b16decode|a85decode|fromhex|unhexlify|decompress|atob|decode64|base64_decode|gzinflate|gzuncompress|str_rot13|decode_base64|inflate|inflateSync|gunzipSync|strict_decode64|urlsafe_decode64|decodestring|unpack1?|pack|from_hex|hex2bin|marshal\.loads)$/;
const fetchers =
  /\b(?:urlopen|urlretrieve|requests|httpx|fetch|axios|got|file_get_contents|LWP|URI|open_uri|curl_exec|HTTP|http|https|download|readlines_url)\b/;
const evals =
  /^(?:eval|exec|Function|compile|execfile|instance_eval|class_eval|assert|loadstring|load|runInNewContext|runInThisContext)$/;

/** A shell by its path or as an interactive one; input or output that becomes the connection. */
const shellAtSocket =
  /\/bin\/(?:ba|z|da)?sh|cmd\.exe|pty\.spawn|dup2|["'](?:ba|z|da|k)?sh(?:\s+|["']\s*,\s*["'])-i\b|\bSTDIN\s*,\s*["'][<>+]+&|\bspawn\(\s*["'](?:ba|z|da|k)?sh["']\s*[,)](?!\s*\[\s*["'])|\bpopen\(\s*[a-z_]\w*\s*[,)]/;
/** `boto3.resource("s3").Bucket("b").objects.all().delete()`. */
const cloudObject =
  /\.(?:Bucket|Table|Instance|Stack|Vpc|DBInstance)\([^)]*\)(?:\.\w+(?:\.(?:all|filter)\([^)]*\))?)?\.(?:delete|terminate)\(|\.instances\.\w+\([^)]*\)\.terminate\(/;

/** What a program says as a whole: that it runs code from elsewhere, or connects a shell to the network. */
export function judgeWhole(call: Call, found: Scan, code: string): void {
  const words = [...found.words];
  const runs = words.some((word) => evals.test(word));
  const encoded = words.some((word) => decoders.test(word)) || /['"](?:base64|hex|rot_?13)['"]/.test(code);
  if (runs && encoded) fact(call, "runs-decoded-code");
  const url = /https?:\/\//.test(code);
  if (runs && url && fetchers.test(code)) fact(call, "runs-network-code");
  const socket =
    /\bsocket\b|TCPSocket|fsockopen|net['"]?\)?\.(?:connect|createConnection|Socket)|IO::Socket|createConnection/.test(
      code,
    );
  if (socket && shellAtSocket.test(code)) fact(call, "network-shell");
  if (/\/inet\/(?:tcp|udp)\//.test(code) && /\|\s*&?\s*getline/.test(code)) fact(call, "network-shell");
  if (/\b(?:import|source|include|dofile)\s*\(?[^\n;)]{0,40}['"]https?:/.test(code))
    fact(call, "runs-network-code");
  if (/\b(?:while|until|for)\b[^\n]*\bfork\b|\bfork\b\s*(?:\(\s*\))?\s*(?:while|until)\b/.test(code))
    fact(call, "fork-bomb");
  if (/\bboto3\b/.test(code) && cloudObject.test(code))
    call.run.engine.inner(call, ["aws", "s3", "rb", "s3://bucket", "--force"], { stdin: noText });
  const deletes = /\bmethod['"]?\s*[:=]>?\s*['"]DELETE['"]|\.request\(\s*['"]DELETE|HTTP::Delete/i.test(code);
  if (deletes && found.tokens.some(isAwayUrl)) fact(call, "http-delete");
}

/** Where the text comes from that a call hands to a shell or runs as code. */
export function judgeArgument(call: Call, tokens: readonly Token[]): void {
  const words = tokens.filter((token) => token.kind === "name").flatMap((token) => token.text.split("."));
  if (words.some((word) => decoders.test(word))) fact(call, "runs-decoded-code");
  const url = tokens.some((token) => token.kind === "string" && /^https?:\/\//.test(token.text));
  if (url && words.some((word) => fetchers.test(word))) fact(call, "runs-network-code");
}

/** `os.kill(1, 9)`: the process first, then a signal; 0 only asks. */
export function endsInit({ name, args }: CodeCall): boolean {
  const [first, second] = args.map((arg) => arg.map((token) => token.text).join(""));
  return /^(?:os|process)\./.test(name) && first === "1" && second !== "0";
}

/** Does the program turn what it reads or holds into other text, so that nobody can read it before? */
export function decodesText(found: Scan): boolean {
  return [...found.words].some((word) => decoders.test(word) || /^(?:chr|hex|pack)$/.test(word));
}

function isAwayUrl(token: Token): boolean {
  return token.kind === "string" && /^https?:\/\//.test(token.text) && isAway(token.text);
}
