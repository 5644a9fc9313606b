/** Why a pattern of files cannot match what its writer meant, and what to write instead. */
export interface Idle {
  readonly message: string;
  readonly hint: string;
}

/** Null for a pattern that can match. The pattern is one of `protect.except` when `isExcept`. */
export function idlePattern(pattern: string, isExcept: boolean): Idle | null {
  const [, negated] = /^!(.+)$/.exec(pattern) ?? [];
  if (negated !== undefined) {
    const hint = isExcept
      ? `Write it without the "!": "${negated}".`
      : `Exceptions stand in protect.except: ["${negated}"].`;
    return { message: `"${pattern}" takes nothing back: here "!" is a letter like any other`, hint };
  }
  const [, variable, rest = ""] = startsWithVariable.exec(pattern) ?? [];
  if (variable !== undefined) {
    const isHome = /^(?:\$\{?HOME\}?|%USERPROFILE%)$/i.test(variable);
    const hint = isHome
      ? `Write "~${rest === "" ? "/**" : rest.replaceAll("\\", "/")}".`
      : "Write the path itself.";
    return { message: `"${pattern}" never matches: variables are not filled in`, hint };
  }
  if (/^(?:~|\.)$/.test(pattern)) {
    const meant = pattern === "~" ? "~/**" : "**";
    return { message: `"${pattern}" never matches: a pattern names files`, hint: `Write "${meant}".` };
  }
  if (/^~[^/\\]+[/\\]/.test(pattern)) {
    const message = `"${pattern}" never matches a home folder: only "~/" stands for one, and that is yours`;
    return { message, hint: "Write the whole path." };
  }
  if (/^~?[/\\](?:.*[/\\])?\.\.(?:[/\\]|$)/.test(pattern)) {
    return {
      message: `"${pattern}" never matches: no path has ".." in it`,
      hint: "Write the path without it.",
    };
  }
  return null;
}

/** In capitals only: `$id.tsx` is the name of a file. */
const startsWithVariable = /^(\$[A-Z_][A-Z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\}|%[A-Za-z_]+%)([/\\].*|)$/;
