import type { Route } from "next";
import { z } from "zod";

import type { LogPlace } from "@/lib/domain/verifier-check";
import { ROLLUPS, type RubricRequest } from "@/lib/domain/rubric";
import { LIST_STARTS, type ListStarts, PARTED_LISTS, type PartedList } from "@/lib/domain/trial-lists";
import { encodeSegment, type Query, trialHref } from "./href";

import { readWeights, writeWeights } from "./job-dimension";

/** Tabs of the trial page in their order; `steps` exists for multi-step trials only. */
export const TRIAL_TABS = ["trajectory", "steps", "tests", "evaluation", "files", "log", "config"] as const;

/** One of {@link TRIAL_TABS}. */
export type TrialTab = (typeof TRIAL_TABS)[number];

/** What the address of a trial says. */
export interface TrialParams {
  readonly tab: TrialTab;
  /** Key of the step to open; null opens where it went wrong, else at the end. */
  readonly step: string | null;
  /** 0-based first row of the trajectory; null chooses it by the step. */
  readonly from: number | null;
  /** File to open, relative to the trial folder; null opens the tab's first. */
  readonly file: string | null;
  /** Which end of a long file is read. */
  readonly end: "start" | "end";
  /** Line of the open file to bring into view, from 1; null for its beginning. */
  readonly line: number | null;
  /** A rubric to try on the trial's dimensions. */
  readonly rubric: RubricRequest;
  readonly starts: ListStarts;
}

const text = (limit: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value) => (Array.isArray(value) ? (value.at(-1) ?? "") : (value ?? "")).slice(0, limit));

const count = text(12).transform((value) => (/^\d{1,9}$/u.test(value) ? Number(value) : null));
const start = count.transform((value) => value ?? 0);

const starts = z.object({ keys: start, dimensions: start, tests: start, tags: start, checks: start });

const schema = z.object({
  tab: text(20).transform((value) => TRIAL_TABS.find((tab) => tab === value) ?? "trajectory"),
  step: text(200).transform((value) => (value === "" ? null : value)),
  from: count,
  file: text(4096).transform((value) => (value === "" ? null : value)),
  line: text(12).transform((value) => (/^[1-9]\d{0,8}$/u.test(value) ? Number(value) : null)),
  end: text(5).transform((value) => (value === "end" ? ("end" as const) : ("start" as const))),
});

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseTrialParams(search: Record<string, string | string[] | undefined>): TrialParams {
  const rollup = ROLLUPS.find((one) => one === search["rollup"]) ?? null;
  return {
    ...schema.parse(search),
    starts: starts.parse(search),
    rubric: { rollup, weights: readWeights(search) },
  };
}

/** Values of an address; what is left out takes its default. */
export type TrialLink = { readonly [Name in keyof TrialParams]?: TrialParams[Name] | undefined };

/** The address of a trial with a tab and what is open in it; defaults are not written. */
export function trialPageHref(jobKey: string, trialKey: string, link: TrialLink = {}): Route {
  return trialHref(jobKey, trialKey, {
    tab: link.tab === undefined || link.tab === "trajectory" ? undefined : link.tab,
    step: link.step ?? undefined,
    from: link.from ?? undefined,
    file: link.file ?? undefined,
    end: link.end === "end" ? "end" : undefined,
    rollup: link.rubric?.rollup ?? undefined,
    ...writeWeights(link.rubric?.weights ?? NO_WEIGHTS),
    line: link.line ?? undefined,
    ...writeStarts(link.starts ?? LIST_STARTS),
  });
}

/** The same page with one of its lists from another entry on, which it opens at. */
export function listPartHref(
  jobKey: string,
  trialKey: string,
  search: TrialParams,
  list: PartedList,
  from: number,
): Route {
  const href = trialPageHref(jobKey, trialKey, { ...search, starts: { ...search.starts, [list]: from } });
  return `${href}#${list}` as Route; // A fragment of the page.
}

function writeStarts(from: ListStarts): Query {
  return Object.fromEntries(PARTED_LISTS.map((list) => [list, from[list] === 0 ? undefined : from[list]]));
}

/** Address of a trial's evaluation as a JSON file. */
export function evaluationFileHref(jobKey: string, trialKey: string): Route {
  return `${trialHref(jobKey, trialKey)}/evaluation.json` as Route; // The route beside the page.
}

/** What opens a log where it has something; what has no line is at its end. */
export function logLink({ file, line }: LogPlace): TrialLink {
  return { tab: "log", file, line, end: line === null || line > LINES_READ ? "end" : "start" };
}

/** Lines of a file that are shown from its start. */
const LINES_READ = 1000;

const NO_WEIGHTS: ReadonlyMap<string, number> = new Map();

/**
 * Address of a file's bytes: an image is shown, text is plain text with `asText`, everything else is a download.
 *
 * @param trialKey - null for a file of the job itself
 */
export function artifactHref(jobKey: string, trialKey: string | null, file: string, asText = false): Route {
  const folder = trialKey === null ? [jobKey] : [jobKey, trialKey];
  const path = [...folder, ...file.split("/")].map(encodeSegment).join("/");
  // Built from parts of our own, so it names the one route below api.
  return `/api/artifacts/${path}${asText ? "?as=text" : ""}` as Route;
}
