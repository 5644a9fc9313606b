import { noteFetched } from "../fetched.ts";
import { hasUnknown, literally } from "../marks.ts";
import type { Call } from "../model.ts";
import { has, optionValue, optionValues, readOptions } from "../options.ts";
import { baseOf } from "../place.ts";
import { fact, touch } from "../record.ts";

export const curlOptions =
  "oXdHFuAebcDKTmwxrUECyYzPtQ output request data data-raw data-binary data-urlencode data-ascii json header form form-string user user-agent referer cookie cookie-jar dump-header config upload-file max-time write-out proxy range retry retry-delay retry-max-time connect-timeout cert key cacert capath url output-dir trace trace-ascii stderr resolve connect-to limit-rate interface request-target oauth2-bearer";

export function curl(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), curlOptions);
  const folder = optionValue(parsed, "--output-dir");
  const urls = [...parsed.operands, ...optionValues(parsed, "--url")];
  const outputs = optionValues(parsed, "-o", "--output");
  if (has(parsed, "-O", "--remote-name", "--remote-name-all", "-J")) outputs.push(...urls.map(remoteName));
  for (const output of outputs) save(call, folder, output, "curl saves to a file");
  for (const file of optionValues(
    parsed,
    "-c",
    "--cookie-jar",
    "-D",
    "--dump-header",
    "--trace",
    "--trace-ascii",
    "--stderr",
  )) {
    touch(call, "write", file, "curl writes a log");
  }
  const method = (optionValue(parsed, "-X", "--request") ?? "").toUpperCase();
  const overridden = optionValues(parsed, "-H", "--header").some((line) =>
    /^x-http-method(?:-override)?:\s*delete/i.test(line),
  );
  const deletes = method === "DELETE" || overridden || urls.some((url) => url.includes("_delete_by_query"));
  if (deletes && urls.some(isAway)) fact(call, "http-delete");
}

/** `aria2c` and `axel` name the file after the address. */
export function aria(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "odilxsjkn out output dir input-file log split");
  const folder = optionValue(parsed, "-d", "--dir");
  const output = optionValue(parsed, "-o", "--out", "--output");
  for (const url of parsed.operands.slice(0, output === null ? undefined : 1))
    save(call, folder, output ?? remoteName(url), `${call.argv[0]} saves to a file`);
}

/** `http -d address` names the file after the address; `-o` names it otherwise. */
export function httpie(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "oasA output auth session");
  const output = optionValue(parsed, "-o", "--output");
  const url = parsed.operands.find((word) => !/^[A-Z]+$/.test(word));
  if (output !== null) save(call, null, output, `${call.argv[0]} saves to a file`);
  else if (has(parsed, "-d", "--download") && url !== undefined)
    save(call, null, remoteName(url), `${call.argv[0]} saves to a file`);
}

const wgetOptions =
  "OoaPeiBtTwQUlARDIX output-document output-file append-output directory-prefix execute input-file base tries timeout wait quota user-agent header post-data post-file method body-data body-file user password level accept reject domains include-directories exclude-directories";

export function wget(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), wgetOptions);
  const output = optionValue(parsed, "-O", "--output-document");
  const folder = optionValue(parsed, "-P", "--directory-prefix");
  if (output !== null) save(call, null, output, "wget saves to a file");
  else for (const url of parsed.operands) save(call, folder, remoteName(url), "wget saves to a file");
  if (folder !== null && has(parsed, "-i", "--input-file"))
    touch(call, "write", folder, "wget saves below the folder", { tree: true, keeps: true });
  for (const file of optionValues(parsed, "-o", "--output-file"))
    touch(call, "write", file, "wget writes a log");
  for (const file of optionValues(parsed, "-a", "--append-output"))
    touch(call, "write", file, "wget writes a log", { keeps: true });
  const deletes = (optionValue(parsed, "--method") ?? "").toUpperCase() === "DELETE";
  if (deletes && parsed.operands.some(isAway)) fact(call, "http-delete");
}

/** True for an address that is not this machine. */
export function isAway(url: string): boolean {
  const plain = literally(url);
  const host = /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[^\]]*\]|[^/:?#\s]*)/i.exec(plain)?.[1] ?? "";
  return !/^(?:localhost|[\w-]+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|)$/i.test(
    host,
  );
}

function save(call: Call, folder: string | null, output: string, via: string): void {
  const path = folder === null ? output : `${folder}/${output}`;
  if (path === "-" || path === "") return;
  touch(call, "write", path, via);
  noteFetched(call.scope, path);
}

function remoteName(url: string): string {
  const path = url.replace(/[?#].*$/s, "").replace(/^[a-z][\w+.-]*:\/\//i, "");
  const name = path.includes("/") ? baseOf(path) : "";
  return name === "" && !hasUnknown(url) ? "index.html" : name;
}
