import type { Route } from "next";
import { createParser } from "nuqs/server";

import { type AddressValues, createAddress, type SearchValues } from "./address";
import { decodeSegment, encodeSegment } from "./href";
import { flag, name, oneOf, pageNumber, wholeFrom } from "./values";

/** Tabs of two trials side by side in their order. */
export const BESIDE_TABS = ["trajectory", "tests", "dimensions", "files"] as const;

export type BesideTab = (typeof BESIDE_TABS)[number];

/** A trial by the keys of its job and itself. */
export interface TrialRef {
  readonly jobKey: string;
  readonly trialKey: string;
}

const LONGEST_REF = 8_192;

/** A trial in the address: the two parts of its page's address, such as `run-1/alpha__aaaaaaa`. */
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

/** The trial whose page an address of ours opens; null for any other address. */
export function readTrialRef(href: string): TrialRef | null {
  const { job = "", trial = "" } = TRIAL_PATH.exec(href)?.groups ?? {};
  return job === "" || trial === "" ? null : { jobKey: decodeSegment(job), trialKey: decodeSegment(trial) };
}

const besideAddress = createAddress(
  {
    a: trialRef,
    b: trialRef,
    tab: oneOf(BESIDE_TABS),
    /** Row of the alignment to open, from 1; null for none. */
    row: wholeFrom(1),
    /** 0-based first line of the steps; null chooses it by the row. */
    from: wholeFrom(0),
    /** Whether equal steps and steps of one side are unfolded. */
    isUnfolded: flag("all"),
    /** Whether each trajectory scrolls by itself. */
    isApart: flag("apart"),
    /** 0-based first row of the tests. */
    tests: wholeFrom(0).withDefault(0),
    /** File to open, relative to both folders; null opens the first that differs. */
    file: name,
    /** Whether the picker of the second trial is open although there is one, and its page. */
    isPicking: flag("1"),
    page: pageNumber,
  },
  { isUnfolded: "show", isApart: "scroll", isPicking: "pick" },
);

export type BesideParams = AddressValues<typeof besideAddress>;

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseBesideParams(search: SearchValues): BesideParams {
  return besideAddress.read(search);
}

export function listUnknownBesideValues(search: SearchValues): readonly string[] {
  return besideAddress.listUnknown(search);
}

export function besideHref(link: Partial<BesideParams>): Route {
  return besideAddress.href("/beside", link);
}

/** The same with the two trials in each other's place, at the same row or file. */
export function swappedHref({ a, b, tab, row, isUnfolded, isApart, file }: BesideParams): Route {
  return besideHref({ a: b, b: a, tab, row, isUnfolded, isApart, file });
}
