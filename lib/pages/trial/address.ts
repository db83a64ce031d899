import type { Route } from "next";
import { createParser, parseAsStringLiteral } from "nuqs/server";

import type { QueuePlace } from "@/lib/core/domain/annotation";
import { FILE_FORMS } from "@/lib/core/domain/file-view";
import type { BlindPart } from "@/lib/core/domain/review";
import { ROLLUPS } from "@/lib/core/domain/rubric";
import { encodeSegment } from "@/lib/core/domain/segment";
import { STEP_CONDITIONS, STEP_SOURCES, type StepRange } from "@/lib/core/domain/trajectory";
import type { LogPlace } from "@/lib/core/domain/verifier-check";

import { type AddressValues, createAddress, type SearchValues } from "../address/address";
import { buildHref, trialHref } from "../address/href";
import { flag, name, names, oneOf, someOf, text, wholeFrom } from "../address/values";
import { readWeights, type Weights, writeWeights } from "../address/weights";
import { queueItemHref } from "../annotations/review-address";
import { trialsList } from "../trials/address";

export const TRIAL_TABS = ["trajectory", "steps", "tests", "evaluation", "files", "log", "config"] as const;

export type TrialTab = (typeof TRIAL_TABS)[number];

/** Returns the tabs that reveal nothing hidden. The files tab then has only files from the environment. */
export function listShownTabs(hidden: readonly BlindPart[]): readonly TrialTab[] {
  if (hidden.includes("verifier")) return ["trajectory", "evaluation", "files"];
  return hidden.includes("agent") ? ["trajectory", "tests", "evaluation", "files"] : TRIAL_TABS;
}

const start = wholeFrom(0).withDefault(0);

/** Such as `3..12` or `2..explore.4`. */
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
    /** Filtered or sorted list that the page was opened from; null for all trials of the job. */
    list: trialsList,
    source: name,
    /** Key of the step; null opens where it went wrong, else the end. */
    step: name,
    find: text,
    isPattern: flag("1"),
    isCased: flag("1"),
    roles: someOf(STEP_SOURCES),
    tools: names,
    paths: names,
    range: stepRange,
    only: someOf(STEP_CONDITIONS),
    lanes: names,
    /** 0-based first row of the trajectory, or byte of the open file; null derives it from the step, or from `end`. */
    from: wholeFrom(0),
    attempt: name,
    file: name,
    form: parseAsStringLiteral(FILE_FORMS),
    /** End of a long file that is read; `end` with a byte is what comes before it. */
    end: oneOf(["start", "end"]),
    line: wholeFrom(1),
    test: name,
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
  readonly weights: Weights;
}

export function parseTrialParams(search: SearchValues): TrialParams {
  return { ...trialAddress.read(search), weights: readWeights(search) };
}

export function trialPageHref(jobKey: string, trialKey: string, link: Partial<TrialParams> = {}): Route {
  return trialAddress.href(trialHref(jobKey, trialKey), link, writeWeights(link.weights));
}

/** A trial's page and the list or queue that it was opened from: all links of the page stay there. */
export interface OpenTrial {
  readonly jobKey: string;
  readonly trialKey: string;
  readonly list: string | null;
  /** Null outside of queues. Addresses in a queue use this alone, so that they reveal nothing. */
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

export function stepHref(at: OpenTrial, search: TrialParams, step: Partial<TrialParams>): Route {
  const { source, find, isPattern, isCased, roles, tools, paths, range, only, lanes } = search;
  const filter = { roles, tools, paths, range, only, lanes };
  return openTrialHref(at, { source, find, isPattern, isCased, ...filter, ...step });
}

export function logLink({ file, line }: LogPlace): Partial<TrialParams> {
  return { tab: "log", file, line, end: line === null ? "end" : "start" };
}

/** Keeps what is searched for in the files. */
export function fileHref(at: OpenTrial, search: TrialParams, file: Partial<TrialParams>): Route {
  const { tab, find, isPattern, isCased, attempt } = search;
  return openTrialHref(at, { tab, find, isPattern, isCased, attempt, ...file });
}

export function evaluationFileHref(jobKey: string, trialKey: string): Route {
  return `${trialHref(jobKey, trialKey)}/evaluation.json` as Route;
}

export function openArtifactHref(
  { jobKey, trialKey, queue }: OpenTrial,
  file: string,
  options: Parameters<typeof artifactHref>[3] = {},
): Route {
  if (queue === null) return artifactHref(jobKey, trialKey, file, options);
  const { queueId, position } = queue;
  return buildHref(artifactHref(NO_NAME, NO_NAME, file, options), { queue: queueId, item: position + 1 });
}

/** Replaces job and trial if the queue and its item identify them. */
const NO_NAME = "-";

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
 * Images, audio and video are displayed. With `text` anything else is plain text; with `file`, or without either, it is a
 * download.
 * @param trialKey - null for a file of the job itself
 */
export function artifactHref(
  jobKey: string,
  trialKey: string | null,
  file: string,
  {
    as,
    attempt = null,
  }: { readonly as?: "text" | "file" | undefined; readonly attempt?: string | null } = {},
): Route {
  const folder = trialKey === null ? [jobKey] : [jobKey, trialKey];
  const path = [...folder, ...file.split("/")].map(encodeSegment).join("/");
  // Built from our own parts, so it names the one route below api.
  return buildHref(`/api/artifacts/${path}`, {
    as,
    attempt: attempt ?? undefined,
  });
}
