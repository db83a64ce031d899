import type { Route } from "next";
import { createParser } from "nuqs/server";

import { decodeSegment, encodeSegment } from "@/lib/core/domain/segment";

import { type AddressValues, createAddress } from "../address/address";
import { flag, name, oneOf, pageNumber, wholeFrom } from "../address/values";

export const DIFF_TABS = ["trajectory", "tests", "dimensions", "files"] as const;

export type DiffTab = (typeof DIFF_TABS)[number];

export interface TrialRef {
  readonly jobKey: string;
  readonly trialKey: string;
}

const LONGEST_REF = 8_192;

const trialRef = createParser<TrialRef>({
  parse: (value) => {
    const [job = "", trial = "", ...rest] = value.slice(0, LONGEST_REF).split("/");
    return job === "" || trial === "" || rest.length > 0
      ? null
      : { jobKey: decodeSegment(job), trialKey: decodeSegment(trial) };
  },
  serialize: ({ jobKey, trialKey }) => `${encodeSegment(jobKey)}/${encodeSegment(trialKey)}`,
  eq: (a, b) => a.jobKey === b.jobKey && a.trialKey === b.trialKey,
});

const TRIAL_PATH = /^\/jobs\/(?<job>[^/?#]+)\/trials\/(?<trial>[^/?#]+)/u;

export function readTrialRef(href: string): TrialRef | null {
  const { job = "", trial = "" } = TRIAL_PATH.exec(href)?.groups ?? {};
  return job === "" || trial === "" ? null : { jobKey: decodeSegment(job), trialKey: decodeSegment(trial) };
}

export const diffAddress = createAddress(
  {
    a: trialRef,
    b: trialRef,
    tab: oneOf(DIFF_TABS),
    row: wholeFrom(1),
    /** 0-based first line of the steps; null derives it from the row. */
    from: wholeFrom(0),
    isUnfolded: flag("all"),
    isApart: flag("apart"),
    tests: wholeFrom(0).withDefault(0),
    /** Relative to both folders; null opens the first file that differs. */
    file: name,
    isPicking: flag("1"),
    page: pageNumber,
  },
  { isUnfolded: "show", isApart: "scroll", isPicking: "pick" },
);

export type DiffParams = AddressValues<typeof diffAddress>;

export function diffHref(link: Partial<DiffParams>): Route {
  return diffAddress.href("/diff", link);
}

export function swappedHref({ a, b, tab, row, isUnfolded, isApart, file }: DiffParams): Route {
  return diffHref({ a: b, b: a, tab, row, isUnfolded, isApart, file });
}
