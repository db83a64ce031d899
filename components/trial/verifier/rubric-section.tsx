import {
  describeWeights,
  FIT_WORDS,
  formatChange,
  ROLLUP_WORDS,
  TriedRubric,
  USUAL_RUBRIC,
} from "@/components/job/rubric/tried-rubric";
import { Link } from "@/components/ui/link";
import { formatReward, MISSING } from "@/lib/core/format/number";
import { trialHref } from "@/lib/pages/address/href";
import { jobPageHref } from "@/lib/pages/job/address";
import { openTrialHref } from "@/lib/pages/trial/address";

import { AsideSection, type ShownTrial } from "../trial-parts";

export function RubricSection({ page }: { page: ShownTrial }) {
  const { rubric, search } = page;
  if (rubric === null) return null;
  const [jobKey, trialKey] = [page.job.key, page.trial.key];
  const { fit, rollup, isChanged, stored, recomputed, change } = rubric;
  const inJob = jobPageHref(jobKey, {
    tab: "rubric",
    family: rubric.family,
    rollup: search.rollup,
    weights: search.weights,
  });
  const lines = [
    ["Stored reward", stored ?? MISSING],
    [`Recomputed as ${ROLLUP_WORDS[rollup]}`, formatReward(recomputed, 4)],
    ["Change", change === null ? MISSING : formatChange(change)],
  ] as const;
  return (
    <AsideSection title="Rubric" note={`reward ${FIT_WORDS[fit]}`}>
      <ul className="aside-list">
        {lines.map(([name, text]) => (
          <li key={name}>
            <span className="grow">{name}</span>
            <span className="mono">{text}</span>
          </li>
        ))}
      </ul>
      <details open={isChanged}>
        <summary className="caption">Try other weights</summary>
        <TriedRubric
          tried={rubric}
          action={trialHref(jobKey, trialKey)}
          usualHref={openTrialHref(page.at, { ...search, ...USUAL_RUBRIC })}
        />
        <p className="caption">{describeWeights(rubric)} Nothing is saved: the weights are in the URL.</p>
      </details>
      <Link className="aside-more" href={inJob}>
        {isChanged ? "This rubric for all trials of the family" : "All trials of the family"}
      </Link>
    </AsideSection>
  );
}
