/** What stands in the place of a secret. */
const gone = "[redacted]";
const value = `("[^"]*"|'[^']*'|[^\\s'"&;|]+)`;
const secretName =
  "(?:password|passwd|passphrase|pass|pwd|secret|token|api[_-]?key|apikey|(?:access|secret|private|signing|encryption|master)[_-]?key|credentials?|auth)";
const secretWords = ["pass", "pwd", "secret", "token", "key", "credential", "auth"];

interface Place {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Small letters; every text that the pattern fits holds one of them. */
  readonly holds: readonly string[];
}

/** Usual places of secrets in command lines, headers, JSON and URLs, most telling first. */
const places: readonly Place[] = [
  {
    pattern: /\b(authorization\s*[:=]\s*(?:bearer|basic|token)?\s*)[^\s'"]+/gi,
    instead: `$1${gone}`,
    holds: ["authorization"],
  },
  { pattern: /\b((?:set-)?cookie\s*:\s*)[^'"]+/gi, instead: `$1${gone}`, holds: ["cookie"] },
  {
    pattern: new RegExp(`\\b(curl\\b[^|;&]*?\\s(?:-b|--cookie)[= ]?\\s*)(?=\\S+=)${value}`, "gi"),
    instead: `$1${gone}`,
    holds: ["-b", "--cookie"],
  },
  { pattern: /(auth\s*=\s*\()[^)]*\)/gi, instead: `$1${gone})`, holds: ["auth"] },
  { pattern: /(config set \S*auth\S*\s+)\S+/gi, instead: `$1${gone}`, holds: ["config set"] },
  // NAME=value and name: value, also inside JSON and with a prefix such as DB_PASS or _authToken.
  {
    pattern: new RegExp(`((?:^|[^a-z])[a-z0-9_-]*${secretName}s?\\\\?["']?\\s*[=:]\\s*\\\\?)${value}`, "gi"),
    instead: `$1${gone}`,
    holds: secretWords,
  },
  {
    pattern: new RegExp(`(--?(?:[a-z-]*-)?${secretName}[= ]\\s*)${value}`, "gi"),
    instead: `$1${gone}`,
    holds: secretWords,
  },
  // Options whose value is a secret: mysql -pX, curl -u user:X, sshpass -p X, redis-cli -a X, openssl -k X.
  {
    pattern: /\b((?:mysql|mysqldump|mysqladmin|mariadb|mongo|mongosh)\b[^|;&]*?\s-p)(?=[^\s-])\S+/gi,
    instead: `$1${gone}`,
    holds: ["mysql", "mariadb", "mongo"],
  },
  {
    pattern: /\b((?:curl|wget|http|https|xh)\b[^|;&]*?\s(?:-u|--user)[ =]?[^\s:/]*:)(?!\/\/)\S+/gi,
    instead: `$1${gone}`,
    holds: ["-u", "--user"],
  },
  {
    pattern: /\b((?:sshpass|docker\s+login|podman\s+login|helm\s+registry\s+login|7z)\b[^|;&]*?\s-p\s*)\S+/gi,
    instead: `$1${gone}`,
    holds: ["sshpass", "login", "7z"],
  },
  { pattern: /\b((?:redis-cli)\b[^|;&]*?\s-a\s+)\S+/gi, instead: `$1${gone}`, holds: ["redis-cli"] },
  { pattern: /\b((?:openssl)\b[^|;&]*?\s-k\s+)\S+/gi, instead: `$1${gone}`, holds: ["openssl"] },
  { pattern: /\b(vault\s+login\s+)(?!-)\S+/gi, instead: `$1${gone}`, holds: ["vault"] },
  {
    pattern: /\b(echo\s+|printf\s+)[^|;&]+(?=\|\s*[^|;&]*--password-stdin)/gi,
    instead: `$1${gone} `,
    holds: ["--password-stdin"],
  },
  {
    pattern: /\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@/]+@/gi,
    instead: `$1${gone}@`,
    holds: ["://"],
  },
  // A token in the place of a user's name; a name of letters alone is one.
  {
    pattern: /\b(https?:\/\/)(?![a-z][a-z.-]{0,15}@)[^\s:/@'"]+@/gi,
    instead: `$1${gone}@`,
    holds: ["://"],
  },
  {
    pattern:
      /\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abpr]|AKIA|ASIA|AIza)[-_]?[A-Za-z0-9_-]{12,}/g,
    instead: gone,
    holds: ["sk", "pk", "rk", "gh", "github_pat", "glpat", "xox", "akia", "asia", "aiza"],
  },
  { pattern: /\bnpm[-_]?[A-Za-z0-9_-]{12,}/g, instead: gone, holds: ["npm"] },
  {
    pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
    instead: gone,
    holds: ["eyj"],
  },
];

/** Takes likely secrets out of text that is kept. It knows usual spellings, not every secret. */
export function redact(text: string): string {
  let kept = text;
  const small = text.toLowerCase();
  // A hook lives for one call, and making ready fifteen patterns that fit nothing would be a good part of it.
  for (const { pattern, instead, holds } of places)
    if (holds.some((part) => small.includes(part))) kept = kept.replace(pattern, instead);
  return kept;
}
