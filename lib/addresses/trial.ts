import type { Route } from "next";
import { createParser, parseAsStringLiteral } from "nuqs/server";

import type { QueuePlace } from "@/lib/domain/annotation";
import { FILE_FORMS } from "@/lib/domain/file-view";
import type { BlindPart } from "@/lib/domain/review";
import { ROLLUPS } from "@/lib/domain/rubric";
import { STEP_CONDITIONS, STEP_SOURCES, type StepRange } from "@/lib/domain/trajectory";
import type { LogPlace } from "@/lib/domain/verifier-check";
import { type AddressValues, createAddress, type SearchValues } from "./address";
import { buildHref, encodeSegment, trialHref } from "./href";
import { queueItemHref } from "./review";
import { trialsList } from "./trials-list";
import { flag, name, names, oneOf, someOf, text, wholeFrom } from "./values";
import { readWeights, type Weights, writeWeights } from "./weights";

/** Tabs of the trial page in their order; `steps` exists for multi-step trials only. */
export const TRIAL_TABS = ["trajectory", "steps", "tests", "evaluation", "files", "log", "config"] as const;

export type TrialTab = (typeof TRIAL_TABS)[number];

/** The tabs that say nothing of what is hidden; that of files then has those that the environment gave. */
export function listShownTabs(hidden: readonly BlindPart[]): readonly TrialTab[] {
  if (hidden.includes("verifier") || hidden.includes("agent")) return ["trajectory", "files"];
  return hidden.includes("reviewers") ? TRIAL_TABS.filter((tab) => tab !== "evaluation") : TRIAL_TABS;
}

/** First entry of a list that is shown in parts. */
const start = wholeFrom(0).withDefault(0);

/** Keys of two steps, such as `3..12` or `2..explore.4`; null for anything else. */
const stepRange = createParser<StepRange>({
  parse: (value) => {
    const [first = "", last = "", ...more] = value.split("..");
    return first === "" || last === "" || more.length > 0 ? null : [first, last];
  },
  serialize: (keys) => keys.join(".."),
  eq: (a, b) => a.join() === b.join(),
});

export const trialAddress = createAddress(
  {
    tab: oneOf(TRIAL_TABS),
    /** The filtered or sorted list of trials that the page was opened from; null for all trials of the job. */
    list: trialsList,
    /** First file of the trace to show; null shows the richest. */
    source: name,
    /** Key of the step to open; null opens where it went wrong, else at the end. */
    step: name,
    /** What is looked for in all steps; empty for nothing. */
    find: text,
    /** Whether it is a regular expression, and whether capital and small letters differ. */
    isPattern: flag("1"),
    isCased: flag("1"),
    /** Which steps are listed; all of them where nothing is chosen. */
    roles: someOf(STEP_SOURCES),
    tools: names,
    /** Files that a call of the step names. */
    paths: names,
    /** Steps from one to another; null for all of them. */
    range: stepRange,
    only: someOf(STEP_CONDITIONS),
    /** Subagents whose steps are listed too. */
    lanes: names,
    /** 0-based first row of the trajectory, or byte of the open file; null chooses it by the step, or by `end`. */
    from: wholeFrom(0),
    /** Folder of an earlier attempt whose files are shown; null for the trial's own. */
    attempt: name,
    /** File to open, relative to the trial folder; null opens the tab's first. */
    file: name,
    /** How the open file is shown; null as its type suggests. */
    form: parseAsStringLiteral(FILE_FORMS),
    /** Which end of a long file is read; `end` with a byte is what comes before it. */
    end: oneOf(["start", "end"]),
    /** Line of the open file to bring into view, from 1; null for its beginning. */
    line: wholeFrom(1),
    /** Test to bring into view, by the name that its report gives it; null for none. */
    test: name,
    /** Strategy of a rubric to try on the trial's dimensions; null for that by which most stored rewards follow. */
    rollup: parseAsStringLiteral(ROLLUPS),
    keys: start,
    dimensions: start,
    tests: start,
    tags: start,
    checks: start,
  },
  {
    isPattern: "pattern",
    isCased: "case",
    roles: "role",
    tools: "tool",
    paths: "path",
    lanes: "lane",
    form: "view",
  },
);

export interface TrialParams extends AddressValues<typeof trialAddress> {
  /** Weights of a rubric to try that differ from those of the details. */
  readonly weights: Weights;
}

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseTrialParams(search: SearchValues): TrialParams {
  return { ...trialAddress.read(search), weights: readWeights(search) };
}

export function trialPageHref(jobKey: string, trialKey: string, link: Partial<TrialParams> = {}): Route {
  return trialAddress.href(trialHref(jobKey, trialKey), link, writeWeights(link.weights));
}

/** A trial whose page is open, and the list or queue that it was opened from: all links of the page stay there. */
export interface OpenTrial {
  /** Blank while a queue hides which job it is. */
  readonly jobKey: string;
  readonly trialKey: string;
  readonly list: string | null;
  /** Null outside of queues. Of a queue's trial all addresses are made of this alone, so that they name nothing. */
  readonly queue: QueuePlace | null;
}

export function openTrialHref(
  { jobKey, trialKey, list, queue }: OpenTrial,
  link: Partial<TrialParams> = {},
): Route {
  if (queue === null) return trialPageHref(jobKey, trialKey, { list, ...link });
  const href = queueItemHref(queue.queueId, queue.position);
  return trialAddress.href(href, { ...link, list: null }, writeWeights(link.weights));
}

/** The address of a step among those of the same trace, with what is looked for in it and which steps are listed. */
export function stepHref(at: OpenTrial, search: TrialParams, step: Partial<TrialParams>): Route {
  const { source, find, isPattern, isCased, roles, tools, paths, range, only, lanes } = search;
  const filter = { roles, tools, paths, range, only, lanes };
  return openTrialHref(at, { source, find, isPattern, isCased, ...filter, ...step });
}

/** What opens a log where it has something; what has no line is at its end. */
export function logLink({ file, line }: LogPlace): Partial<TrialParams> {
  return { tab: "log", file, line, end: line === null ? "end" : "start" };
}

export function foundFileHref(at: OpenTrial, search: TrialParams, file: Partial<TrialParams>): Route {
  const { find, isPattern, isCased, attempt } = search;
  return openTrialHref(at, { tab: "files", find, isPattern, isCased, attempt, ...file });
}

export function evaluationFileHref(jobKey: string, trialKey: string): Route {
  return `${trialHref(jobKey, trialKey)}/evaluation.json` as Route; // The route beside the page.
}

/** Address of a file's bytes of the open trial, see {@link artifactHref}. */
export function openArtifactHref(
  { jobKey, trialKey, queue }: OpenTrial,
  file: string,
  options: Parameters<typeof artifactHref>[3] = {},
): Route {
  if (queue === null) return artifactHref(jobKey, trialKey, file, options);
  const { queueId, position } = queue;
  return buildHref(artifactHref(NO_NAME, NO_NAME, file, options), { queue: queueId, item: position + 1 });
}

/** Stands for job and trial where the queue and its item name them. */
const NO_NAME = "-";

/** Address of an image that is written out in a step of a trace, the `nth` of the step; `source` as in the address of the trial. */
export function stepImageHref(
  at: OpenTrial,
  step: { readonly key: string; readonly file: string },
  nth: number,
  source: string | null,
): Route {
  const image = { step: step.key, image: nth, source: source ?? undefined };
  return buildHref(openArtifactHref(at, step.file), image);
}

/**
 * Address of a file's bytes: images, audio and video are shown, with `text` anything else is plain text, and with `file`, or
 * without either, it is a download.
 *
 * @param trialKey - null for a file of the job itself
 */
export function artifactHref(
  jobKey: string,
  trialKey: string | null,
  file: string,
  { as, attempt = null }: { readonly as?: "text" | "file"; readonly attempt?: string | null } = {},
): Route {
  const folder = trialKey === null ? [jobKey] : [jobKey, trialKey];
  const path = [...folder, ...file.split("/")].map(encodeSegment).join("/");
  // Built from parts of our own, so it names the one route below api.
  return buildHref(`/api/artifacts/${path}`, {
    as,
    attempt: attempt ?? undefined,
  });
}
