import { formatSize, MISSING } from "@/lib/core/format/number";
import type { CompareParams } from "@/lib/pages/compare/address";
import type { ComparedPair, Comparison } from "@/lib/pages/compare/page";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import { CertaintySection } from "./certainty-section";
import { SensitivitySection } from "./sensitivity-section";

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
      {pairs.length === 1 && lead !== null ? <p className="table-note">{describeReadings(lead)}</p> : null}
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

function Detection({ pair: { comparison, words } }: { pair: ComparedPair }) {
  if (comparison.kind === "unavailable" || comparison.detectable.kind === "unavailable") return null;
  const { isRate, detectable } = comparison;
  const { difference, withTwiceTheAttempts, allSpreadIsTrialNoise } = detectable;
  const unit = isRate ? " points" : "";
  return (
    <p className="table-note">
      <span title="The smallest true difference that 80 of 100 such comparisons would detect">
        Detectable from {formatSize(difference, isRate)}
        {unit}
        {withTwiceTheAttempts === null
          ? "."
          : `, with twice the attempts from ${formatSize(withTwiceTheAttempts, isRate)}${allSpreadIsTrialNoise ? " at best" : ""}.`}
      </span>{" "}
      {words.runInterval === null ? null : (
        <span title={words.runInterval.basis}>
          95 % interval with run to run: {words.runInterval.value ?? MISSING}.
        </span>
      )}
    </p>
  );
}
