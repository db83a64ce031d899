import "server-only";
import type { MarkVerdict } from "@/lib/core/domain/matrix-marks";
import { readVerdict } from "@/lib/core/domain/review";
import type { AnnotationStore } from "@/lib/people/annotations";
import type { IndexStore } from "@/lib/store/tables";

import { getJudgedOrNull, type JudgedTrial } from "../annotations/judged";
import type { ChosenGroup } from "./groups";

export interface AttemptVerdict {
  readonly stand: MarkVerdict;
  readonly words: string;
}

export interface GroupVerdicts {
  readonly find: (trial: { readonly jobKey: string; readonly key: string }) => AttemptVerdict | null;
  readonly counts: Readonly<Record<MarkVerdict, number>>;
}

export const NO_VERDICTS: GroupVerdicts = {
  find: () => null,
  counts: { "pass-against": 0, "fail-against": 0, agrees: 0, open: 0 },
};

/**
 * Reads the judgments that corrected scores count, each against the verifier's own outcome, regardless of the page's key and
 * threshold. Returns no verdicts if they cannot be read.
 */
export async function readVerdicts(
  store: IndexStore,
  groups: readonly ChosenGroup[],
  annotations?: AnnotationStore,
): Promise<GroupVerdicts> {
  const judged = await getJudgedOrNull(store, annotations);
  if (judged === null || judged.byJob.size === 0) return NO_VERDICTS;
  const byJob = new Map(
    groups.flatMap(({ runs }) =>
      runs.map(
        ({ job }) => [job.key, judged.byJob.get(job.rowId) ?? new Map<string, JudgedTrial>()] as const,
      ),
    ),
  );
  const find: GroupVerdicts["find"] = ({ jobKey, key }) => {
    const trial = byJob.get(jobKey)?.get(key);
    return trial === undefined ? null : describeVerdict(trial);
  };
  const counts = { ...NO_VERDICTS.counts };
  for (const { trials } of groups)
    for (const trial of trials) {
      const verdict = find(trial);
      if (verdict !== null) counts[verdict.stand]++;
    }
  return { find, counts };
}

function describeVerdict({ outcome, judgments: { judgment } }: JudgedTrial): AttemptVerdict {
  if (judgment === "mixed") return { stand: "open", words: "reviewers differ" };
  if (judgment === "defer") return { stand: "open", words: "reviewers defer" };
  const hasPassed = readVerdict(outcome);
  const words = `reviewers say ${judgment}`;
  // Without a verdict of the verifier there is nothing to agree with.
  if (hasPassed === null) return { stand: "open", words };
  if (hasPassed === (judgment === "pass")) return { stand: "agrees", words };
  return { stand: `${judgment}-against`, words };
}
