/** What one analysis may cost. Past any of these the rest of the command counts as not seen. */
export const limits = {
  /** UTF-16 units of one command line. */
  length: 64 * 1024,
  /** Scripts within scripts: substitutions, `sh -c`, functions. */
  nesting: 32,
  /** Parentheses that are open at once. */
  open: 256,
  /** Substitutions `$(…)` in one text; each costs about as much as a command. */
  substitutions: 1_000,
  /** Here-documents; thousands of them on one line make the parser slow. */
  heredocs: 128,
  /** Commands, words and expansions visited. */
  work: 10_000,
  /** Words and signs between them that the parser is given; quoted text counts as one. */
  words: 8_000,
  /** UTF-16 units that one expanded word may grow to. */
  expansion: 64 * 1024,
} as const;
