import "server-only";
import { NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import { BLIND_PARTS, type QueueSettings } from "@/lib/core/domain/review";
import { chooseDouble } from "@/lib/core/stats";
import type { VerifierParams } from "@/lib/pages/annotations/review-address";
import { createQueue, getAnnotationStore } from "@/lib/people/annotations";
import { findPart, type Member, nameMember } from "@/lib/people/labels/members";
import type { LabelSample } from "@/lib/people/labels/sample";
import type { IndexStore } from "@/lib/store/tables";

import { getReviewSubject } from "../annotations/review";
import { findSample, isNarrowed } from "./page";
import { drawPlanned } from "./plan";
import { NEXT_LABELS } from "./review";

interface NextLabels {
  readonly settings: QueueSettings;
  readonly trials: readonly (Pick<Member, "jobRowId" | "key"> & { readonly nReviewers: 1 | 2 })[];
}

/**
 * Draws the queue of the next labels, see {@link drawPlanned}.
 * @param base - settings of a queue over the same list; its list, reviewers and double-review share are copied
 */
export function drawNextLabels(sample: LabelSample, base: QueueSettings, seed: number): NextLabels {
  const { drawn, strata } = drawPlanned(sample, { size: NEXT_LABELS, seed, keyOf: nameMember });
  const twice = new Set(chooseDouble(drawn.map(nameMember), base.doubleShare, seed));
  return {
    trials: drawn.map((member) => ({
      jobRowId: member.jobRowId,
      key: member.key,
      nReviewers: twice.has(nameMember(member)) ? 2 : 1,
    })),
    settings: {
      name: nameQueue(base.name),
      goal: "corrected-score",
      method: "planned",
      seed,
      order: "random",
      source: base.source,
      sourceHref: base.sourceHref,
      reviewers: base.reviewers,
      doubleShare: base.doubleShare,
      hides: BLIND_PARTS,
      isOpenCoding: false,
      strata,
    },
  };
}

const LONGEST_NAME = 100;
const NEXT_NAME = "Next labels: ";

function nameQueue(name: string): string {
  const first = name.startsWith(NEXT_NAME) ? name.slice(NEXT_NAME.length) : name;
  return `${NEXT_NAME}${first.slice(0, LONGEST_NAME)}`;
}

/**
 * Creates a queue of the labels that the planner wants next and returns its id.
 * @throws ValidationError if filters narrow the list or nothing is left to label; NotFoundError without a draw; StoreError
 */
export async function queueNextLabels(
  store: IndexStore,
  params: VerifierParams,
  author: string,
): Promise<string> {
  const annotations = getAnnotationStore();
  const { asked, jobs } = await findSample(store, params, annotations);
  if (asked === null) throw new NotFoundError("These trials have no randomly sampled queue.");
  if (isNarrowed(asked))
    throw new ValidationError("Clear the filters first. Labels are planned for the whole list.", {});
  if (findPart(asked.sample.members, asked.sample.whole) !== null)
    throw new ValidationError("The list is filtered by result, so labels correct no score.", {});
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  const { settings, trials } = drawNextLabels(asked.sample, asked.draw.queue.settings, seed);
  const items: Parameters<typeof createQueue>[1]["items"][number][] = [];
  for (const { jobRowId, key, nReviewers } of trials) {
    const job = jobs.get(String(jobRowId));
    if (job === undefined) continue;
    items.push({
      subject: (await getReviewSubject({ kind: "trial", jobKey: job.key, trialKey: key, list: null }))
        .subject,
      nReviewers,
    });
  }
  return createQueue(annotations, { settings, items, author });
}
