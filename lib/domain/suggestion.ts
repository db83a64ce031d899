/** What gives trials machine tags: a rule of triage, a scanner, a judge's failed check, the verifier's own details, or another tool whose tags were imported. */
export const SUGGESTER_KINDS = ["rule", "scanner", "judge", "verifier", "import"] as const;

export type SuggesterKind = (typeof SUGGESTER_KINDS)[number];

/** A machine's tag on a trial, which is a suggestion until somebody answers it. */
export interface Suggestion {
  /** Kind and id, see {@link nameSuggester}. */
  readonly suggester: string;
  /** What an answer is about: the class that a rule gave, the version of a scanner, the category of another tool; empty for other categories. Answers to another one do not count. */
  readonly version: string;
}

/** What reviewers can say of a suggestion. */
export const SUGGESTION_ANSWERS = ["accepted", "rejected"] as const;

export type SuggestionAnswer = (typeof SUGGESTION_ANSWERS)[number];

/** The name of a suggester, such as `rule:agent-timeout`. @param id - of the rule or scanner, name of the other tool, else the category */
export function nameSuggester(kind: SuggesterKind, id: string): string {
  return `${kind}:${id}`;
}

/** Most characters of a suggester's name and of its version that an answer can be stored of. */
export const SUGGESTION_LIMITS = { suggester: 300, version: 100 } as const;
