/** What stands in the place of a secret. */
const gone = "[redacted]";
const value = `("[^"]*"|'[^']*'|[^\\s'"&;|]+)`;
const secretName =
  "(?:password|passwd|passphrase|pass|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|credentials?|auth)";

/** Usual places of secrets in command lines, headers, JSON and URLs, most telling first. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(authorization\s*[:=]\s*(?:bearer|basic|token)?\s*)[^\s'"]+/gi, `$1${gone}`],
  [/(auth\s*=\s*\()[^)]*\)/gi, `$1${gone})`],
  [/(config set \S*auth\S*\s+)\S+/gi, `$1${gone}`],
  // NAME=value and name: value, also inside JSON and with a prefix such as DB_PASS or _authToken.
  [
    new RegExp(`((?:^|[^a-z])[a-z0-9_-]*${secretName}s?\\\\?["']?\\s*[=:]\\s*\\\\?)${value}`, "gi"),
    `$1${gone}`,
  ],
  [new RegExp(`(--?(?:[a-z-]*-)?${secretName}[= ]\\s*)${value}`, "gi"), `$1${gone}`],
  // Options whose value is a secret: mysql -pX, curl -u user:X, sshpass -p X, redis-cli -a X, openssl -k X.
  [/\b((?:mysql|mysqldump|mysqladmin|mariadb|mongo|mongosh)\b[^|;&]*?\s-p)(?=[^\s-])\S+/gi, `$1${gone}`],
  [/\b((?:curl|wget|http|https|xh)\b[^|;&]*?\s(?:-u|--user)[ =]?[^\s:/]*:)(?!\/\/)\S+/gi, `$1${gone}`],
  [
    /\b((?:sshpass|docker\s+login|podman\s+login|helm\s+registry\s+login|7z)\b[^|;&]*?\s-p\s*)\S+/gi,
    `$1${gone}`,
  ],
  [/\b((?:redis-cli)\b[^|;&]*?\s-a\s+)\S+/gi, `$1${gone}`],
  [/\b((?:openssl)\b[^|;&]*?\s-k\s+)\S+/gi, `$1${gone}`],
  [/\b(vault\s+login\s+)(?!-)\S+/gi, `$1${gone}`],
  [/\b(echo\s+|printf\s+)[^|;&]+(?=\|\s*[^|;&]*--password-stdin)/gi, `$1${gone} `],
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
