import { Fragment } from "react";

import { Link } from "@/components/ui/link";
import { formatCount, formatPlural, formatRange, formatReward } from "@/lib/core/format/number";
import type { GroupCorrection } from "@/lib/pages/verifier/groups";

import "./verifier.css";

const DECIMALS = 2;

export function Correction({
  correction,
  mean,
}: {
  correction: GroupCorrection | null;
  mean: number | null;
}) {
  if (correction === null) return null;
  const { text, title } = describeCorrection(correction, mean);
  return (
    <Link className="caption nowrap" href={correction.href} title={title}>
      {text}
    </Link>
  );
}

const MOST_REASONS = 3;

export function UncorrectedNote({
  groups,
}: {
  groups: readonly { readonly name: string | null; readonly correction: GroupCorrection | null }[];
}) {
  const found = groups.flatMap(({ name, correction }) =>
    correction?.kind === "left-out" ? [{ name, ...correction }] : [],
  );
  if (found.length === 0) return null;
  const nMore = found.length - MOST_REASONS;
  return (
    <p className="caption table-note">
      {found.slice(0, MOST_REASONS).map(({ name, href, reasons, nLabels }) => (
        <Fragment key={href}>
          No corrected score{name === null ? "" : ` of ${name}`}:{" "}
          <Link href={href}>{reasons.join("; ") || formatPlural(nLabels, "label")}</Link>.{" "}
        </Fragment>
      ))}
      {nMore > 0 ? `None of ${formatPlural(nMore, "more group")} either.` : null}
    </p>
  );
}

function describeCorrection(correction: GroupCorrection, mean: number | null) {
  const labels = formatPlural(correction.nLabels, "label");
  switch (correction.kind) {
    case "left-out":
      return {
        text: "none",
        title: `No corrected score: ${correction.reasons.join("; ")}`,
      };
    case "too-few":
      return {
        text: `${formatCount(correction.nThere)} of ${formatCount(correction.nNeeded)} labels needed`,
        title: "Too few labels from random samples to correct the score",
      };
    case "computed": {
      const { corrected, margin, observed, nTrials } = correction;
      const isPassRate = mean !== null && formatReward(mean) === formatReward(observed);
      return {
        text: `${isPassRate ? "" : "pass rate "}${formatReward(corrected, DECIMALS)} ${margin}, ${labels}`,
        title: `Pass rate ${formatReward(observed)} of ${formatPlural(nTrials, "trial")} with a verdict, corrected by labels: ${formatReward(corrected)}, 95 % interval ${formatRange(correction)}, for these trials`,
      };
    }
  }
}
