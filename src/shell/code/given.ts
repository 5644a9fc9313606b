import type { Call, Stream } from "../model.ts";
import { absolute } from "../place.ts";
import { fact, touch, unseen } from "../record.ts";
import type { Language } from "./languages.ts";

/** What an interpreter is given to run. */
interface Given {
  readonly codes: readonly Stream[];
  /** The words that the program sees, itself first. */
  readonly argv: readonly string[];
  readonly edited: readonly string[];
  readonly module: readonly string[] | null;
}

const loads = /^(?:--import|--require|-r|--loader|--experimental-loader|--preload)$/;
const imports = /^--(?:import|require|loader|experimental-loader|preload)=https?:/;

/** Finds the code among the arguments of an interpreter: after `-c`, in a file, on standard input. */
export function codeOf(call: Call, language: Language, name: string): Given {
  const args = call.argv.slice(1);
  const codes: Stream[] = [];
  let inPlace = false;
  let at = /^(?:deno|crystal|tjs|dotnet-script)$/.test(name) && args[0] === "eval" ? 1 : 0;
  if (at === 1) codes.push({ text: args.slice(1).find((arg) => !arg.startsWith("-")) ?? "", from: "text" });
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at++;
      break;
    }
    if (imports.test(arg) || (loads.test(arg) && /^https?:/.test(args[at + 1] ?? "")))
      fact(call, "runs-network-code");
    if (!/^-./.test(arg)) break;
    if (/^-m/.test(arg) && /python|pypy/.test(name)) {
      return {
        codes,
        argv: [],
        edited: [],
        module: [
          arg === "-m" ? (args[at + 1] ?? "") : arg.slice(2),
          ...args.slice(at + (arg === "-m" ? 2 : 1)),
        ],
      };
    }
    inPlace ||= language.inPlace && /^-[a-zA-Z0-9]*i/.test(arg);
    if (name.endsWith("awk") && arg === "-i" && args[at + 1] === "inplace") inPlace = true;
    const attached = attachedCode(arg, language);
    if (attached !== null) codes.push({ text: attached, from: "text" });
    else if (takesCode(arg, language)) {
      const text = args[++at] ?? "";
      // `node -p`: what it comes to is printed.
      const prints = /^(?:-p|--print|-pe|-ep)$/.test(arg) && language.syntax.backtick === "text";
      codes.push({ text: prints ? `console.log(${text})` : text, from: "text" });
    } else if (takesValue(arg, language)) at++;
  }
  const operands = args.slice(at);
  if (codes.length === 0 && name.endsWith("awk")) codes.push(...awkFiles(call));
  if (codes.length === 0 && name.endsWith("awk")) codes.push({ text: operands.shift() ?? "", from: "text" });
  const argv = [name, ...operands];
  if (codes.length > 0 || inPlace) return { codes, argv, edited: inPlace ? operands : [], module: null };
  // Node counts itself and the script.
  const seen = /^(?:node|nodejs|deno|bun|tsx|ts-node)$/.test(name) ? argv : operands;
  return { codes: scriptOf(call, operands, language), argv: seen, edited: [], module: null };
}

/** `awk -f file`, `awk -f -`. */
function awkFiles(call: Call): Stream[] {
  const at = call.argv.findIndex((word) => /^-f/.test(word) && !/^-field/.test(word));
  if (at < 0) return [];
  const file = call.argv[at] === "-f" ? (call.argv[at + 1] ?? "") : (call.argv[at] ?? "").slice(2);
  if (file === "-" || file === "/dev/stdin") return [call.stdin];
  const known = call.scope.files.get(absolute(call.scope.cwd, file));
  return [known ?? { text: "", from: "program" }];
}

function takesCode(arg: string, language: Language): boolean {
  return language.code.some(
    (option) =>
      arg === option ||
      (option.length === 2 &&
        /^-[a-zA-Z0-9]+$/.test(arg) &&
        arg.endsWith(option[1] ?? " ") &&
        !(/^-[IMm]/.test(arg) && language.values.includes(arg[1] ?? " "))),
  );
}

/** `-e'code'` written together, and `--eval=code`. */
function attachedCode(arg: string, language: Language): string | null {
  for (const option of language.code) {
    if (option.startsWith("--") && /[=:]/.test(arg[option.length] ?? "") && arg.startsWith(option))
      return arg.slice(option.length + 1);
    if (option.length === 2 && arg.startsWith(option) && arg.length > 2 && /[\s('"]/.test(arg))
      return arg.slice(2);
  }
  return null;
}

function takesValue(arg: string, language: Language): boolean {
  const [letters = "", ...long] = language.values.split(" ");
  if (arg.startsWith("--")) return long.includes(arg.slice(2));
  return arg.length === 2 && letters.includes(arg[1] ?? " ") && letters !== "-";
}

function scriptOf(call: Call, operands: readonly string[], language: Language): Stream[] {
  const runs = operands[0] === "run" && operands.length > 1;
  const file = runs ? operands.slice(1).find((word) => !/^-./.test(word)) : operands[0];
  if (language.syntax.lisp === true && file?.startsWith("(") === true) return [{ text: file, from: "text" }];
  if (file === undefined || file === "-" || file === "/dev/stdin") return language.stdin ? [call.stdin] : [];
  if (runs && operands.some((word) => /^https?:\/\//.test(word))) fact(call, "runs-network-code");
  const known = call.scope.files.get(absolute(call.scope.cwd, file));
  if (known !== undefined) return [known];
  touch(call, "read", file, "a script is run");
  unseen(call, `what the script ${file} does`);
  return [];
}
