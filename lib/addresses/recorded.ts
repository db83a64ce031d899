import type { Route } from "next";
import { z } from "zod";

import { FIRST_PAGE, type PagePlace } from "@/lib/domain/page-place";
import { buildHref } from "./href";
import { type SearchValues, textParam } from "./params";
import { formatPlace, parsePlace } from "./place";

/** What the address of the list of recorded judgments says. */
export interface RecordedParams {
  /** Key of the job to list; null for all. */
  readonly job: string | null;
  readonly place: PagePlace;
}

const schema = z.object({ job: textParam });

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseRecordedParams(search: SearchValues): RecordedParams {
  const { job } = schema.parse(search);
  return { job: job === "" ? null : job, place: parsePlace(search) };
}

/** The address of the judgments that stand in files, of one job or of all. */
export function recordedHref(job: string | null, place: PagePlace = FIRST_PAGE): Route {
  return buildHref("/annotations/recorded", { job: job ?? undefined, ...formatPlace(place) });
}
