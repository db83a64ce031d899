import { formatSize, MISSING } from "@/lib/core/format/number";
import type { CompareParams } from "@/lib/pages/compare/address";
import type { ComparedPair, Comparison } from "@/lib/pages/compare/page";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import { CertaintySection } from "./certainty-section";
import { SensitivitySection } from "./sensitivity-section";

import "./robustness-section.css";

/** Uncertainty and sensitivity: whether the answer would stay. */
export function RobustnessSection({
  comparison,
  corrections,
  params,
}: {
  comparison: Comparison;
  corrections: readonly (GroupCorrection | null)[];
  params: CompareParams;
}) {
  const { pairs, lead } = comparison;
  return (
    <>
      {pairs.length === 1 && lead !== null ? (
        <p className="robustness-lead">{describeReadings(lead)}</p>
      ) : null}
      {lead === null ? null : <Detection pair={lead} />}
      <SensitivitySection comparison={comparison} params={params} />
      <CertaintySection comparison={comparison} corrections={corrections} />
    </>
  );
}

function describeReadings({ readings, words }: ComparedPair): string {
  if (readings.length === 0) return "No reading changes the result: no counted trial is missing or excluded.";
  const changed = readings.filter((reading) => reading.words.verdict !== words.verdict);
  return changed.length === 0
    ? "No reading changes the result."
    : `The result changes ${changed.map(({ label, words: { verdict } }) => `${label.toLowerCase()} (${verdict})`).join(", ")}.`;
}

/** What the pair of the title could detect, and what further runs would show. */
function Detection({ pair: { comparison, words, first, second } }: { pair: ComparedPair }) {
  if (comparison.kind === "unavailable") return null;
  const { detectable, isRate } = comparison;
  const detects = detectable.kind === "computed" ? detectable : null;
  const size = (difference: number | null | undefined) =>
    difference == null ? MISSING : `${formatSize(difference, isRate)}${isRate ? " points" : ""}`;
  const facts = [
    {
      term: "Smallest detectable difference",
      value: size(detects?.difference),
      title: "The smallest true difference that 80 of 100 such comparisons would detect",
    },
    {
      term: "With twice the attempts",
      value: size(detects?.withTwiceTheAttempts),
      title: detects?.allSpreadIsTrialNoise
        ? "All variation looks like noise between attempts, so this is a best case"
        : "Smallest detectable difference with twice as many attempts at the same tasks",
    },
    ...(words.runInterval === null
      ? []
      : [
          {
            term: "95 % with run to run",
            value: words.runInterval.value ?? MISSING,
            title: words.runInterval.basis,
          },
        ]),
  ];
  return (
    <dl className="flow detection" aria-label={`${first.label} against ${second.label}`}>
      {facts.map(({ term, value, title }) => (
        <div key={term} title={title}>
          <dt className="caption">{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
