import type { OpenTrial, TrialParams } from "@/lib/addresses/trial";

/** Where the links of an open file lead: the open trial, and what its address says. */
export interface FilePlace extends OpenTrial {
  readonly search: TrialParams;
}

/** What stays in the address of another form or part of the open file. */
export function keepPlace({ tab, find, isPattern, isCased }: TrialParams): Partial<TrialParams> {
  return { tab, find, isPattern, isCased };
}
