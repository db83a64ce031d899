import type { Route } from "next";

import { type OpenTrial, openArtifactHref, type TrialParams } from "@/lib/addresses/trial";

/** Where the links of an open file lead: the open trial, and what its address says. */
export interface FilePlace extends OpenTrial {
  readonly search: TrialParams;
}

/** What stays in the address of another form or part of the open file. */
export function keepPlace({ tab, find, isPattern, isCased, attempt }: TrialParams): Partial<TrialParams> {
  return { tab, find, isPattern, isCased, attempt };
}

/** Address of a file's bytes, of the open attempt. */
export function bytesHref(place: FilePlace, file: string, as?: "text" | "file"): Route {
  return openArtifactHref(place, file, { ...(as !== undefined && { as }), attempt: place.search.attempt });
}
