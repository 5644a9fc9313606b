/** The manifest after loading, with every default filled in. Policies see only this. */
export interface Settings {
  readonly protect: ProtectSettings;
  readonly commands: CommandSettings;
  readonly tests: TestSettings;
  readonly review: { readonly maxDiffLines: number };
  readonly git: { readonly runTests: boolean };
}

/** What happens to a command that hits a rule. */
export type Strength = "ask" | "deny" | "off";

export interface CommandSettings {
  /** For every built-in rule that nothing else is said about. */
  readonly risky: Strength;
  /** By the first part of a rule's id, e.g. `git`. */
  readonly packs: Readonly<Record<string, Strength>>;
  /** By a rule's id, e.g. `git/force-push`. */
  readonly override: Readonly<Record<string, Strength>>;
  readonly rules: readonly OwnRule[];
}

/** A rule that a person wrote. */
export interface OwnRule {
  /** `rules/<words of the pattern>`. */
  readonly id: string;
  /** In the language of the built-in rules, e.g. `npm install|i !--dry-run`. */
  readonly match: string;
  readonly verdict: "ask" | "deny";
  /** Why, in the person's words; may be empty. */
  readonly message: string;
  /** What to use instead; may be empty. */
  readonly instead: string;
}

export interface ProtectSettings {
  /** Globs. Without `/`: the file name at any depth. With `/`: relative to the project root. Case is ignored. */
  readonly paths: readonly string[];
  /** Exceptions in the same syntax; they win over `paths`. */
  readonly except: readonly string[];
  /** What may not be read either, in the same syntax; `$env` stands for the environment. */
  readonly reads: readonly string[];
  /** Holdfast's own files, its entries in agents' settings and its switches are protected too. */
  readonly holdfast: boolean;
}

export interface TestSettings {
  /** Shell command; empty string: never run tests; null: detect from the project's files. */
  readonly command: string | null;
  readonly onFailure: "retry-then-ask" | "ask" | "notify";
  /** How often one session may be sent back. */
  readonly maxRetries: number;
  /** Milliseconds a test run may take at turn end. */
  readonly timeoutMs: number;
  readonly skipWhenUnchanged: boolean;
}

export const defaultSettings: Settings = {
  protect: {
    paths: [".env", ".env.*", "*.pem", "*.key", "secrets/**", ".github/workflows/**", "migrations/**"],
    except: [],
    reads: [],
    holdfast: true,
  },
  commands: { risky: "ask", packs: {}, override: {}, rules: [] },
  tests: {
    command: null,
    onFailure: "retry-then-ask",
    maxRetries: 2,
    timeoutMs: 9 * 60_000,
    skipWhenUnchanged: true,
  },
  review: { maxDiffLines: 800 },
  git: { runTests: true },
};
