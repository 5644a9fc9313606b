import type { World } from "../../core/world.ts";

const signs =
  /(?:^|[\s;|&({"'\\])(?:(?:Add|Clear|Join|Pop|Push|Resolve|Save|Split|Stop|Update|Copy|Compress|Disable|Expand|Export|Format|Get|Import|Initialize|Invoke|Measure|Move|New|Out|Remove|Rename|Reset|Restart|Select|Set|Start|Stop|Tee|Test|Uninstall|Unregister|Write)-[A-Z][A-Za-z]{2,}|(?:ForEach|Where|Sort)-Object|\[(?:System\.)?(?:IO|Net|Diagnostics|Convert|Text)[\w.]*\]::|\$\{?env:\w|iwr\s|irm\s|iex(?:[\s(]|$)|gci\s|gps\s|spsv\s|spps\s)|\|\s*(?:%|\?|foreach|where)\s*\{|(?:^|[;{]\s*)\$\w+\s*=\s/im;
const commandSigns =
  /(?:^|[;|&({]|\b(?:do|else)\s)\s*@?(?:(?:rm|mv|cp)\s+(?:-\w+\s+)*[\w.-]+\\\w|(?:del|erase|rd|rmdir|ren|rename|md|mkdir|move|copy|xcopy|type|attrib|mklink|cipher|format|icacls|takeown|cacls)(?:\.exe)?\s+(?:\/[a-z?]|[^\s'"]*\\[\w.*])|(?:del|erase|rd|ri|rni|ni|mi|cpi|clc|ac|sc|copy|move|ren|robocopy|xcopy|mklink|schtasks|vssadmin|reg|netsh|bcdedit|certutil|bitsadmin)(?:\.exe)?\s)|\bif\s+(?:\/i\s+)?(?:not\s+)?(?:exist|defined|errorlevel)\s|\bfor\s+(?:\/[dflr]\s+)*%%?\w\s+in\s*\(|(?:^|[;&|]\s*)set\s+"?[A-Z]\w*=|^\s*git\s+(?:rm|mv|checkout|restore|clean)\s.*[\w.-]+\\[\w]/im;
const drive = /(?:^|[\s"'=;,(])[A-Za-z]:\\|(?:^|\s)\.{1,2}\\\w|>\s*[\w.-]+\\[\w.]/;

/** One of these is in every text that the expressions below accept. */
const hints =
  "exist errorlevel gci foreach where \\ :: $env ${env iwr irm iex gps spsv spps set del erase rd rmdir ri rni ni mi cpi clc ac sc copy move ren md mkdir robocopy xcopy mklink type attrib cipher format icacls takeown cacls reg netsh bcdedit certutil bitsadmin schtasks vssadmin add- clear- compress- disable- expand- export- get- import- initialize- invoke- measure- new- out- remove- rename- reset- restart- select- set- start- stop- tee- test- uninstall- unregister- write- -object".split(
    " ",
  );

/** Does the text read like PowerShell or cmd? Always so on Windows, unless it is plainly a bash script. */
export function looksWindows(text: string, world: World): boolean {
  if (text.length > 16_384 || text.includes("<<")) return false;
  if (world.platform === "win32") return true;
  const lower = text.toLowerCase();
  if (!hints.some((hint) => lower.includes(hint)) && !/\$\w+\s*=\s|\|\s*[%?]|%\w\s+in/.test(lower))
    return false;
  return signs.test(text) || commandSigns.test(text) || drive.test(text);
}
