import type { World } from "../../core/world.ts";

const signs =
  /(?:^|[\s;|&({"'\\])(?:(?:Add|Clear|Join|Pop|Push|Resolve|Save|Split|Stop|Update|Copy|Compress|Disable|Expand|Export|Format|Get|Import|Initialize|Invoke|Measure|Move|New|Out|Remove|Rename|Reset|Restart|Select|Set|Start|Stop|Tee|Test|Uninstall|Unregister|Write)-[A-Z][A-Za-z]{2,}|(?:ForEach|Where|Sort)-Object|\[(?:System\.)?(?:IO|Net|Diagnostics|Convert|Text|Environment|Reflection|Microsoft\.Win32)[\w.]*\]::|\$\{?env:\w|iwr\s|irm\s|iex(?:[\s(]|$)|gci\s|gps\s|spsv\s|spps\s|HK(?:LM|CU|CR|U|CC):\\|-OutFile\b)|\)\.(?:Delete|MoveTo|Kill)\(|\|\s*(?:%|\?|foreach|where)\s*\{|(?:^|[;{]\s*)\$\w+\s*=\s|\b(?:rm|rmdir|cp|mv|ls|mkdir|ri|del|rd)\s(?:[^;|\n]{0,200}\s)?-(?:recurse|force|fo|confirm:)(?![\w-])/im;
const commandSigns =
  /(?:^|[;|&({]|\b(?:do|else)\s)\s*@?(?:(?:rm|mv|cp|cd|pushd|tee|touch)\s+(?:-\w+\s+)*[\w.-]+\\\w|(?:del|erase|rd|rmdir|ren|rename|md|mkdir|move|copy|xcopy|type|attrib|mklink|cipher|format|icacls|takeown|cacls|start)(?:\.exe)?\s+(?:\/[a-z?]|[^\s'"]*\\[\w.*])|(?:del|erase|rd|ri|rni|ni|mi|cpi|clc|ac|sc|copy|move|ren|robocopy|xcopy|mklink|schtasks|vssadmin|fsutil|reg|netsh|bcdedit|certutil|bitsadmin)(?:\.exe)?\s)|\bif\s+(?:\/i\s+)?(?:not\s+)?(?:exist|defined|errorlevel)\s|\bfor\s+(?:\/[dflr]\s+)*%%?\w\s+in\s*\(|(?:^|[;&|]\s*)set\s+"?[A-Z]\w*=|\b(?:dir|ls|gci)\b[^|]*\|\s*(?:rm|ri|del|erase|rd)\b|\|\s*(?:ri|del|erase|rni)\b|\b(?:ps|gps)\s+[\w*]+\s*\|\s*(?:kill|spps)\b|\b(?:rd|rmdir|del|erase)\/[a-z]|\s-o\s+[\w.-]+\\\w|^\s*git\s+(?:rm|mv|checkout|restore|clean)\s.*[\w.-]+\\[\w]/im;
const drive = /(?:^|[\s"'=;,(])[A-Za-z]:\\|(?:^|[\s"'=(])(?:\.{1,2}|~)\\[\w.]|>\s*[\w.-]+\\[\w.]/;

/** Does the text read like PowerShell or cmd? Always so on Windows, unless it is plainly a bash script. */
export function looksWindows(text: string, world: World): boolean {
  if (text.length > 16_384) return false;
  if (world.powershell === true) return true;
  if (text.includes("<<")) return false;
  if (world.platform === "win32" || goesOn(text)) return true;
  return (
    mayLook(text.toLowerCase()) &&
    (signs.test(text) ||
      commandSigns.test(text) ||
      writesProfile(text) ||
      catches(text) ||
      (text.includes("\\") && drive.test(text)))
  );
}

/** `@'`, a text of several lines, and `'@` in front of a line. */
const hereString = /(?<![^\s(=|,])@(['"])[ \t]*\n[\s\S]*?\n\1@/g;

/** The text for who reads it as a shell of POSIX does: without what PowerShell alone knows to be no code. */
export function withoutTexts(text: string): string {
  const comments = text.includes("<#") ? text.replace(/<#[\s\S]*?#>/g, "") : text;
  return comments.replace(hereString, "''");
}

/** Lines that end as only those of PowerShell and cmd that go on in the next do. */
function goesOn(text: string): boolean {
  if (text.includes(" ^\n") || (/\n['"]@/.test(text) && text.search(hereString) >= 0)) return true;
  return text.includes(" `\n") && text.split("`").length % 2 === 0;
}

/** `try { … } catch { … }`, which a shell for bash would take for a program and its words. */
function catches(text: string): boolean {
  return /(?:^|[;&|{}\n])\s*try\s*\{/i.test(text) && /\}\s*(?:catch|finally)\b/i.test(text);
}

/** `> $PROFILE` means PowerShell's own, unless the text gives a variable of that name its value. */
function writesProfile(text: string): boolean {
  return />\s*\$PROFILE\b/i.test(text) && !/\bPROFILE(?:=|\s+in\b)|\bread\s/i.test(text);
}

/**
 * Is there in small letters what the expressions above look for? In a fresh process making those ready takes longer
 * than all the rest of a decision, and hardly any text has any of it.
 */
function mayLook(lower: string): boolean {
  if (shape.test(lower)) return true;
  const sets = lower.includes("=");
  return lower.split(/[\s;|&({"'@]+/).some((word, at, words) => {
    const name = word.endsWith(".exe") ? word.slice(0, -4) : word;
    if (name === "set") return sets;
    if (switched.has(name)) return words[at + 1]?.startsWith("/") === true;
    return names.has(name) || (name.includes("-") && verbs.has(name.slice(0, name.indexOf("-"))));
  });
}

const shape =
  /\\|::|\$\{?env:|\$\w+\s*=\s|\|\s*(?:[%?]|(?:rm|kill|ri|rni|del|erase)\b)|%\w\s+in|-outfile\b|\b(?:rd|rmdir|del|erase)\/[a-z]|\)\.(?:delete|moveto|kill)\(|\}\s*(?:catch|finally)\b|>\s*\$profile|\s-(?:recurse|force|fo)\b/;
const names = new Set(
  "exist defined errorlevel foreach where gci iwr irm iex gps spsv spps del erase rd ri rni ni mi cpi clc ac sc copy move ren robocopy xcopy mklink reg netsh bcdedit certutil bitsadmin schtasks vssadmin fsutil".split(
    " ",
  ),
);
/** Commands of cmd that are something else elsewhere: only with a switch, or with a path of Windows. */
const switched = new Set(
  "rmdir rename md mkdir type attrib cipher format icacls takeown cacls start".split(" "),
);
const verbs = new Set(
  "add clear join pop push resolve save split update copy compress disable expand export foreach format get import initialize invoke measure move new out remove rename reset restart select set sort start stop tee test uninstall unregister where write".split(
    " ",
  ),
);
