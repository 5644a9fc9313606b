/** Short names of cmdlets, and the commands of cmd that do the same. Only for text that is PowerShell or cmd. */
export const commonAliases: Readonly<Record<string, string>> = {
  sc: "set-content",
  ac: "add-content",
  clc: "clear-content",
  ni: "new-item",
  md: "new-item",
  mkdir: "new-item",
  ri: "remove-item",
  rm: "remove-item",
  rmdir: "remove-item",
  rd: "remove-item",
  del: "remove-item",
  erase: "remove-item",
  mi: "move-item",
  mv: "move-item",
  move: "move-item",
  cpi: "copy-item",
  cp: "copy-item",
  copy: "copy-item",
  xcopy: "copy-item",
  rni: "rename-item",
  ren: "rename-item",
  rename: "rename-item",
  iwr: "invoke-webrequest",
  irm: "invoke-restmethod",
  iex: "invoke-expression",
  icm: "invoke-command",
  gc: "get-content",
  cat: "get-content",
  type: "get-content",
  gci: "get-childitem",
  gi: "get-item",
  gwmi: "get-wmiobject",
  gcim: "get-ciminstance",
  rvpa: "resolve-path",
  si: "set-item",
  gl: "get-location",
  pwd: "get-location",
  gps: "get-process",
  ps: "get-process",
  spsv: "stop-service",
  wget: "invoke-webrequest",
  ls: "get-childitem",
  dir: "get-childitem",
  cd: "set-location",
  sl: "set-location",
  chdir: "set-location",
  pushd: "push-location",
  popd: "pop-location",
  "push-location": "push-location",
  "pop-location": "pop-location",
  "%": "foreach-object",
  foreach: "foreach-object",
  "?": "where-object",
  tee: "tee-object",
  saps: "start-process",
  start: "start-process",
  echo: "write-output",
  write: "write-output",
  spps: "stop-process",
  epcsv: "export-csv",
  sp: "set-itemproperty",
  rp: "remove-itemproperty",
  clp: "clear-itemproperty",
  cli: "clear-item",
  rnp: "rename-itemproperty",
  mp: "move-itemproperty",
  rcim: "remove-ciminstance",
  rwmi: "remove-wmiobject",
  kill: "stop-process",
};

/** Names that mean the same in any shell, so that they count in bash text too. */
export const anywhere: Readonly<Record<string, string>> = {
  del: "remove-item",
  erase: "remove-item",
  rd: "remove-item",
  copy: "copy-item",
  move: "move-item",
  ren: "rename-item",
  xcopy: "copy-item",
  robocopy: "robocopy",
  powershell: "powershell",
  pwsh: "powershell",
  cmd: "cmd",
  mklink: "mklink",
  certutil: "certutil",
  bitsadmin: "bitsadmin",
  iwr: "invoke-webrequest",
  irm: "invoke-restmethod",
  iex: "invoke-expression",
};

/** A Windows path in the form used here: `/` between names, drives below the top. */
export function windowsPath(written: string): string {
  const plain = written
    .replace(/^(?:filesystem|microsoft\.powershell\.core\\filesystem)::/i, "")
    .replaceAll("\\", "/");
  return /^[A-Za-z]:/.test(plain) ? `/${plain}` : plain;
}

/** Could a program of this name be a cmdlet that is known, or a command of cmd? Never no for one that is. */
export function maybeCmdlet(name: string): boolean {
  const lower = name.toLowerCase();
  return Object.hasOwn(anywhere, lower) || verbs.test(lower);
}

const verbs =
  /^(?:add|clear|compress|convert|copy|expand|export|foreach|get|invoke|join|move|new|out|pop|push|remove|rename|resolve|save|set|split|start|tee|where|write)-/;
