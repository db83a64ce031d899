export const SUGGESTER_KINDS = ["rule", "scanner", "judge", "verifier", "import"] as const;

export type SuggesterKind = (typeof SUGGESTER_KINDS)[number];

export interface Suggestion {
  readonly suggester: string;
  /** Class of a rule, version of a scanner, category of another tool; else empty. Answers to another one do not count. */
  readonly version: string;
}

export const SUGGESTION_ANSWERS = ["accepted", "rejected"] as const;

export type SuggestionAnswer = (typeof SUGGESTION_ANSWERS)[number];

export function nameSuggester(kind: SuggesterKind, id: string): string {
  return `${kind}:${id}`;
}

export const SUGGESTION_LIMITS = { suggester: 300, version: 100 } as const;
