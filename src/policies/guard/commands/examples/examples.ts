/** What a rule must and must not hit. Read by tests and the docs only, never on the hook path. */
export interface Examples {
  readonly hits: readonly string[];
  readonly misses: readonly string[];
}

export type RuleExamples = Readonly<Record<string, Examples>>;
