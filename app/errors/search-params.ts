import type { Route } from "next";

import { EXCEPTION_CAUSES } from "@/lib/domain/exception-cause";
import { buildHref } from "@/lib/format/href";
import type { ErrorsFilter } from "@/lib/queries/errors-page";

/** What the address of the errors page says. */
export interface ErrorsParams extends ErrorsFilter {
  /** Exception type whose row is unfolded; blank for none. */
  readonly open: string;
}

type Search = Readonly<Record<string, string | string[] | undefined>>;

function readList(search: Search, name: string): readonly string[] {
  const value = search[name];
  return value === undefined ? [] : [value].flat();
}

function readText(search: Search, name: string): string {
  return (readList(search, name).at(-1) ?? "").trim().slice(0, 200);
}

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseErrorsParams(search: Search): ErrorsParams {
  const causes = readList(search, "cause");
  return {
    jobs: readList(search, "job"),
    agents: readList(search, "agent"),
    causes: EXCEPTION_CAUSES.filter((cause) => causes.includes(cause)),
    text: readText(search, "q"),
    open: readText(search, "open"),
  };
}

/** The address of the errors page with some values changed; defaults are not written. */
export function errorsHref(params: ErrorsParams, change: Partial<ErrorsParams> = {}): Route {
  const next = { ...params, ...change };
  return buildHref("/errors", {
    job: next.jobs,
    agent: next.agents,
    cause: next.causes,
    q: next.text,
    open: next.open,
  });
}

/** The errors of one job. */
export function jobErrorsHref(jobKey: string): Route {
  return errorsHref(parseErrorsParams({ job: jobKey }));
}
