import "server-only";
import { unmarkModel } from "@/lib/core/domain/model-name";
import { PAINTS } from "@/lib/core/domain/redacted-name";
import type { BlindPart } from "@/lib/core/domain/review";
import { type FileList, type FilesPanel, type FilesRequest, NO_DETAILS } from "@/lib/read/trial-reading";
import type { TrialScans } from "@/lib/store/tables";

import type { QueueItemView } from "../queues/item";
import { getStoreOfJob } from "../shell/catalog";
import { locateTrial } from "./locate";
import { getTrialPage, type TrialPage, type TrialWindow } from "./page";

const HIDDEN = "hidden";

/** Names that identify no one and occur in many texts. */
const COMMON = new Set(["agent", "agents", "model", "default", "none", "unknown", "test", "main"]);
/** Shorter names occur in too many other words. */
const SHORTEST_NAME = 3;

export async function getQueueTrialPage(
  item: QueueItemView,
  { steps, ...window }: Omit<TrialWindow, "queueItem">,
): Promise<TrialPage | null> {
  const { place, hidden } = item;
  if (place === null) return null;
  const asked = await uncover(item, steps);
  const page = await getTrialPage(place.jobKey, place.key, { ...window, steps: asked, queueItem: item });
  return page && hideParts(page, hidden);
}

/** Restores painted-over names in a value from a blind page, such as the key of a step named after its agent. */
export async function uncover<T>(item: QueueItemView, value: T): Promise<T> {
  const { place, head } = item;
  // A draft from before the reveal, or a repeated save, contains them too.
  if (place === null || !head.settings.hides.includes("agent")) return value;
  const located = await locateTrial(await getStoreOfJob(place.jobKey), place.jobKey, place.key);
  if (located === null) return value;
  const names = new Map(listPaints(listHiddenNames(located)).map(({ name, paint }) => [paint, name]));
  return mapTexts(value, (text) => text.replace(PAINTED, (run) => names.get(run) ?? run));
}

/**
 * Removes the parts that a queue hides, so that they never reach the browser. Names of agent, model and job are painted over in
 * every text. Indirect hints in a trace, such as an agent that introduces itself, remain.
 */
function hideParts(page: TrialPage, hidden: readonly BlindPart[]): TrialPage {
  // A rule's suggestion is a judgment too, and its places are in files named after agents.
  let shown: TrialPage = { ...page, hidden, scans: hidden.length === 0 ? page.scans : NO_SCANS };
  if (hidden.includes("reviewers")) shown = { ...shown, judgments: null, ledger: null };
  if (hidden.includes("verifier")) shown = hideVerifier(shown);
  if (hidden.includes("agent")) shown = hideAgent(shown);
  return shown;
}

const NO_SCANS: TrialScans = { extent: "none", results: [] };

function hideVerifier(page: TrialPage): TrialPage {
  const { sources, tests, testsInLogs, testTally, analysis, errorTags, parts, ledger } = NO_DETAILS;
  return {
    ...page,
    ...{ sources, tests, testsInLogs, testTally, analysis, errorTags, parts, ledger },
    ...hideOthers(page),
    trial: {
      ...page.trial,
      outcome: "unscored",
      rewards: null,
      rewardsProblem: null,
      rewardFile: { kind: "absent" },
      steps: null,
      phases: { ...page.trial.phases, verifier: null },
    },
    judgments: null,
    headline: null,
    disqualifying: [],
    rewards: [],
    stepRewards: [],
    rewardFigure: null,
    rubric: null,
    exceptions: page.exceptions.filter(({ type, step }) => step === null && !/verif|reward/iu.test(type)),
    issues: [],
    recordFile: null,
    cutFiles: [],
  };
}

/** Other trials and reports identify agents by their names and results by their marks. */
function hideOthers(page: TrialPage) {
  return {
    neighbours: { ...page.neighbours, attempts: [], previous: null, next: null },
    task: {
      ...page.task,
      groups: [],
      counterpart: null,
      nMoreGroups: 0,
      failures: new Map(),
      others: new Map(),
    },
    // Evidence is in files of the verifier and in files named after agents.
    failure: null,
    passedFailure: null,
    lineage: { regrade: null, regrades: [] },
    reports: { rows: [], nOlder: 0 },
    checks: {
      ...page.checks,
      suspicion: null,
      siblings: null,
      disagreement: null,
      suspects: new Set<string>(),
    },
  };
}

function hideAgent(page: TrialPage): TrialPage {
  const { job, trial, at, trajectory } = page;
  const cover = createCover(listHiddenNames(page));
  const covered = cover({
    ...page,
    ...hideOthers(page),
    issues: [],
    // Files of traces are named after agents.
    trajectory: {
      ...trajectory,
      origin: { ...trajectory.origin, sources: [], path: null, unknown: [], notes: [] },
    },
    trial: {
      ...trial,
      agent: HIDDEN,
      model: null,
      recordedModel: null,
      provider: null,
      agentVersion: null,
      settings: null,
      environment: null,
      sourceTrial: null,
      tokens: trial.tokens,
      simulatedUser: null,
    },
  });
  // The server still finds the trial's files by the queue's own place, but renders nothing of it.
  const { queueItem } = page;
  return { ...covered, at, queueItem, job: { ...job, name: HIDDEN, key: "" }, identity: 0 };
}

function listHiddenNames({ job, trial }: Pick<TrialPage, "job" | "trial">): readonly string[] {
  const { agent, provider, agentVersion } = trial;
  const model = unmarkModel(trial);
  const names = [agent, model, model?.split("/").at(-1), job.name, job.key, provider, agentVersion];
  const found = names.flatMap((name) => name ?? []);
  return [...new Set(found)].filter(
    (name) => name.length >= SHORTEST_NAME && !COMMON.has(name.toLowerCase()),
  );
}

const PAINTED = new RegExp(`([${PAINTS}])\\1*`, "gu");

/** Each paint is as long as its name in UTF-16 units, so that offsets of matches and colours stay valid. */
function listPaints(names: readonly string[]): readonly { readonly name: string; readonly paint: string }[] {
  return names.map((name, index) => {
    const nBefore = names.slice(0, index).filter(({ length }) => length === name.length).length;
    return { name, paint: (PAINTS[nBefore] ?? PAINTS[0] ?? "").repeat(name.length) };
  });
}

function createCover(names: readonly string[]): <T>(value: T) => T {
  if (names.length === 0) return (value) => value;
  const paints = new Map(listPaints(names).map(({ name, paint }) => [name.toLowerCase(), paint]));
  // Longest first, so that no name is covered only in part.
  const parts = names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|]/gu, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  const paint = (name: string) => paints.get(name.toLowerCase()) ?? PAINTS.charAt(0).repeat(name.length);
  return (value) => mapTexts(value, (text) => text.replace(pattern, paint));
}

function mapTexts<T>(value: T, change: (text: string) => string): T {
  const map = (part: unknown): unknown => {
    if (typeof part === "string") return change(part);
    if (Array.isArray(part)) return part.map(map);
    if (typeof part !== "object" || part === null || !isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, of]) => [key, map(of)]));
  };
  return map(value) as T;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function hideFile(
  search: Omit<FilesRequest, "selection">,
  hidden: readonly BlindPart[],
): FilesRequest {
  const isHidden = search.file !== null && !isFileShown(search.file, hidden);
  return { ...search, selection: "all", file: isHidden ? null : search.file };
}

export function hideFilesPanel(panel: FilesPanel, hidden: readonly BlindPart[]): FilesPanel {
  return hidden.length === 0 ? panel : { ...panel, manifests: [], areManifestsCut: false };
}

export function hideFileList(list: FileList, hidden: readonly BlindPart[]): FileList {
  if (hidden.length === 0) return list;
  return { ...list, entries: list.entries.filter(({ path }) => isFileShown(path, hidden)) };
}

/** Shows only artifacts from the environment while parts are hidden, since other files reveal who wrote or judged them. */
export function isFileShown(path: string, hidden: readonly BlindPart[], isMedia = false): boolean {
  if (!hidden.includes("verifier") && !hidden.includes("agent")) return true;
  // A path with `..` ends in another folder than its prefix says, so none is allowed.
  if (path.split(/[\\/]/u).some((part) => part === ".." || part === ".")) return false;
  // Steps show images and audio from any folder but the verifier's.
  if (isMedia) return !/(?:^|\/)verifier\//u.test(path);
  return /^artifacts\/(?!agent\/|verifier\/|manifest\.json$)/u.test(path);
}
