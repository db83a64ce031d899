import type { Route } from "next";

import { type OpenTrial, openArtifactHref, type TrialParams } from "@/lib/pages/trial/address";

export interface FilePlace extends OpenTrial {
  readonly search: TrialParams;
}

export function keepPlace({ tab, find, isPattern, isCased, attempt }: TrialParams): Partial<TrialParams> {
  return { tab, find, isPattern, isCased, attempt };
}

export function bytesHref(place: FilePlace, file: string, as?: "text" | "file"): Route {
  return openArtifactHref(place, file, { ...(as !== undefined && { as }), attempt: place.search.attempt });
}
