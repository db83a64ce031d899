import type { Route } from "next";
import { z } from "zod";

import { type ExceptionCause, EXCEPTION_CAUSES } from "@/lib/domain/exception-cause";
import { buildHref } from "./href";
import { listParam, type SearchValues, someOf, textParam } from "./params";

/** What the errors page is asked to show. Empty lists mean no filter; no job means every job. */
export interface ErrorsFilter {
  /** Job keys. */
  readonly jobs: readonly string[];
  /** Contender names, see {@link Contender}. */
  readonly agents: readonly string[];
  readonly causes: readonly ExceptionCause[];
  /** Found in the exception's type or message. */
  readonly text: string;
}

/** What the address of the errors page says. */
export interface ErrorsParams extends ErrorsFilter {
  /** Exception type whose row is unfolded; blank for none. */
  readonly open: string;
}

const schema = z.object({
  job: listParam,
  agent: listParam,
  cause: someOf(EXCEPTION_CAUSES),
  q: textParam,
  open: textParam,
});

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseErrorsParams(search: SearchValues): ErrorsParams {
  const params = schema.parse(search);
  return { jobs: params.job, agents: params.agent, causes: params.cause, text: params.q, open: params.open };
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
