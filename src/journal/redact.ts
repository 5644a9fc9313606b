/** What stands in the place of a secret. */
const gone = "[redacted]";

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(authorization\s*[:=]\s*(?:bearer|basic|token)?\s*)[^\s'"]+/gi, `$1${gone}`],
  [
    /\b((?:[a-z0-9]+[_-])*(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|credential)s?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s'"&;|]+)/gi,
    `$1${gone}`,
  ],
  [/(--?(?:password|token|secret|api-key)[= ])("[^"]*"|'[^']*'|[^\s]+)/gi, `$1${gone}`],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@/]+@/gi, `$1${gone}@`],
  [
    /\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abpr]|npm|AKIA|ASIA|AIza)[-_]?[A-Za-z0-9_-]{12,}/g,
    gone,
  ],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, gone],
];

/** Takes likely secrets out of text that is kept. It knows usual spellings, not every secret. */
export function redact(text: string): string {
  return patterns.reduce((kept, [pattern, instead]) => kept.replace(pattern, instead), text);
}
