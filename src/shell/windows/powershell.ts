import { type Call, copyScope, noText, type Stream, textStream, unknownText } from "../model.ts";
import { absolute } from "../place.ts";
import { fact, unseen } from "../record.ts";
import { windowsPath } from "./names.ts";
import type { Arguments } from "./parameters.ts";

/** `powershell -Command …`, `-File …` and `-EncodedCommand …`. */
export function powershell(call: Call, args: Arguments): Stream {
  const words = call.argv.slice(1);
  const encoded = words.findIndex((word) => /^[-/](?:e|en|enc|enco\w*|ec)$/i.test(word));
  if (encoded >= 0) {
    fact(call, "runs-decoded-code");
    const text = Buffer.from(words[encoded + 1] ?? "", "base64").toString("utf16le");
    return call.run.engine.windows(call, text, copyScope(call.scope), noText);
  }
  const at = words.findIndex((word) => /^[-/](?:c|co\w*)$/i.test(word));
  const named = words.findIndex((word) => /^[-/]f(?:ile)?$/i.test(word));
  const file = named < 0 ? null : (words[named + 1] ?? null);
  if (file !== null) {
    const known = call.scope.files.get(absolute(call.scope.cwd, windowsPath(file)));
    if (known?.from === "network") fact(call, "runs-network-code");
    if (known !== undefined) return call.run.engine.windows(call, known.text, copyScope(call.scope), noText);
    unseen(call, `what the script ${file} does`);
    return unknownText;
  }
  const text =
    at >= 0
      ? words.slice(at + 1).join(" ")
      : args.operands.length > 0
        ? args.operands.join(" ")
        : call.stdin.text;
  if (text === "-" || text === "") return invoke(call, call.stdin);
  return invoke(call, at < 0 && args.operands.length === 0 ? call.stdin : textStream(text));
}

function invoke(call: Call, code: Stream): Stream {
  if (code.from === "network") fact(call, "runs-network-code");
  return call.run.engine.windows(
    call,
    code.text.replace(/^&?\s*\{([\s\S]*)\}\s*$/, "$1"),
    copyScope(call.scope),
    noText,
  );
}
