import "server-only";
import type { Route } from "next";

import { NotFoundError } from "@/lib/core/domain/app-error";
import { decodeSegment } from "@/lib/core/domain/segment";
import { formatPlural } from "@/lib/core/format/number";
import { listSearchValues } from "@/lib/pages/address/address";
import { annotationsAddress, annotationsHref } from "@/lib/pages/annotations/address";
import {
  parseTrialsParams,
  readTrialsRequest,
  trialsPageHref,
  type TrialsParams,
} from "@/lib/pages/trials/address";
import {
  type AnnotationStore,
  getAnnotationStore,
  listDecisions,
  type QueueDraw,
  readCodebook,
} from "@/lib/people/annotations";
import {
  type IndexStore,
  type JobScope,
  readHead,
  type TrialKeys,
  type TrialOrder,
  type TrialSelection,
} from "@/lib/store/tables";

import { getJudged } from "../annotations/judged";
import { filterAnnotationRows, listAnnotationRows, renameCategories } from "../annotations/page";
import { openTrialsList } from "../job/trials-selection";

export interface QueueSource {
  readonly words: string;
  readonly href: Route | null;
  readonly jobs: JobScope;
  readonly selection: TrialSelection;
  readonly sort: TrialOrder;
  readonly isSelection: boolean;
}

type Address = QueueDraw["source"];

export async function openQueueSource(
  store: IndexStore,
  source: Address,
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<QueueSource> {
  if (source.picks.length > 0) {
    const words = formatPlural(source.picks.length, "selected trial");
    return { ...(await selectKeys(store, await findPicks(store, source.picks))), words, href: null };
  }
  if (source.judgments.length > 0 || source.judged !== null) return openJudged(store, source, annotations);
  return openList(store, source);
}

async function openList(store: IndexStore, { job: jobKey, list }: Address): Promise<QueueSource> {
  const job = jobKey === null ? null : await readHead(store, jobKey);
  if (jobKey !== null && job === null) throw new NotFoundError("The job of this list is not open.");
  const params = readTrialsRequest(`http://localhost/?${list ?? ""}`, job === null);
  const href = trialsPageHref(job?.key ?? null, { ...params, tab: "trials" });
  const isFiltered = href !== trialsPageHref(job?.key ?? null, { ...orderOf(params), tab: "trials" });
  const words = `Trials of ${job?.name ?? "all jobs"}${isFiltered ? ", filtered" : ""}`;
  return { ...(await openTrialsList(store, job, params)), words, href, isSelection: false };
}

function orderOf({ sort, descending, columns, rewardKey, isDivided }: TrialsParams): Partial<TrialsParams> {
  return { sort, descending, columns, rewardKey, isDivided };
}

async function openJudged(store: IndexStore, { judgments, judged }: Address, annotations: AnnotationStore) {
  const [found, codebook, decisions] = await Promise.all([
    getJudged(store, annotations),
    readCodebook(annotations),
    listDecisions(annotations),
  ]);
  const filter = annotationsAddress.read(listSearchValues(`http://localhost/?${judged ?? ""}`));
  const wanted = new Set(judgments);
  const rows = listAnnotationRows(found, () => 0, { codebook, decisions });
  const isWanted = ({ chains }: (typeof rows)[number]) =>
    chains.some(({ versions }) => versions.some(({ versionId }) => wanted.has(versionId)));
  const chosen =
    wanted.size > 0 ? rows.filter(isWanted) : filterAnnotationRows(rows, renameCategories(filter, codebook));
  const places = chosen.flatMap((row) => row.found ?? []);
  const href = wanted.size > 0 ? null : annotationsHref({ ...filter, open: "", page: 1 });
  const byJob = Map.groupBy(places, ({ jobRowId }) => jobRowId);
  const keys = new Map([...byJob].map(([id, own]) => [id, new Set(own.map(({ key }) => key))]));
  const words =
    wanted.size > 0 ? `Trials of ${formatPlural(wanted.size, "judgment")}` : "Trials of a list of judgments";
  return { ...(await selectKeys(store, keys)), words, href };
}

async function findPicks(store: IndexStore, picks: readonly string[]): Promise<TrialKeys> {
  const named = picks.map((pick) => {
    const [job = "", trial = ""] = pick.split("/").map(decodeSegment);
    return { job, trial };
  });
  const byJob = Map.groupBy(named, ({ job }) => job);
  const found = await Promise.all(
    [...byJob].map(async ([job, trials]) => {
      const head = await readHead(store, job);
      return head === null ? [] : [[head.rowId, new Set(trials.map(({ trial }) => trial))] as const];
    }),
  );
  return new Map(found.flat());
}

async function selectKeys(store: IndexStore, only: TrialKeys) {
  const every = await openTrialsList(store, null, parseTrialsParams({}, true));
  return { ...every, jobs: [...only.keys()], selection: { ...every.selection, only }, isSelection: true };
}
