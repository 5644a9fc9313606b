/** The manifest after loading, with every default filled in. Policies see only this. */
export interface Settings {
  readonly protect: ProtectSettings;
  readonly commands: { readonly risky: "ask" | "deny" | "off" };
  readonly tests: TestSettings;
  readonly review: { readonly maxDiffLines: number };
  readonly git: { readonly runTests: boolean };
}

export interface ProtectSettings {
  /** Globs. Without `/`: the file name at any depth. With `/`: relative to the project root. Case is ignored. */
  readonly paths: readonly string[];
  /** Exceptions in the same syntax; they win over `paths`. */
  readonly except: readonly string[];
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
    holdfast: true,
  },
  commands: { risky: "ask" },
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
