import { ChevronDown } from "lucide-react";

import { DifferencePlot } from "@/components/charts/strips";
import { Mark } from "@/components/ui/mark";
import { formatSize, MISSING } from "@/lib/core/format/number";
import type { PairedComparison } from "@/lib/core/stats";
import type { ComparedPair, Comparison } from "@/lib/pages/compare/page";

import "./verdict.css";

function listFacts(comparison: PairedComparison, words: ComparedPair["words"], nPairs: number) {
  const { detectable, isRate } = comparison;
  const detects = detectable.kind === "computed" ? detectable : null;
  const size = (difference: number | null | undefined) =>
    difference == null ? null : `${formatSize(difference, isRate)}${isRate ? " points" : ""}`;
  return [
    {
      term: "Difference",
      value: words.difference === null ? null : `${words.difference}${isRate ? " points" : ""}`,
      title: "Mean reward, each task with the same weight",
    },
    { term: "95 % interval", value: words.interval, title: words.intervalBasis },
    ...(words.runInterval === null
      ? []
      : [
          {
            term: "Interval with run to run",
            value: words.runInterval.value,
            title: words.runInterval.basis,
          },
        ]),
    {
      term: nPairs === 1 ? "p-value" : `p-value, adjusted for ${nPairs}`,
      value: words.pValue,
      title: words.pBasis,
    },
    { term: "Won, tied, lost", value: `${comparison.won}, ${comparison.tied}, ${comparison.lost}` },
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
  ];
}

export function Verdict({ pair, comparison }: { pair: ComparedPair; comparison: Comparison }) {
  const paired = pair.comparison;
  const { pairs, rest } = comparison;
  return (
    <section className="verdict" aria-label="Verdict">
      <div>
        <p className="verdict-main">{pair.words.sentence}</p>
        {pair.words.detail === null ? null : <p className="verdict-detail">{pair.words.detail}</p>}
        {pair.words.caution === null ? null : <p className="verdict-detail">{pair.words.caution}</p>}
        {rest === null ? null : <p className="verdict-detail">{rest}</p>}
      </div>
      {pair.axis === null ? null : (
        <figure>
          <DifferencePlot axis={pair.axis} />
          <figcaption className="caption">
            {paired.kind === "computed" && paired.isRate ? "Points" : "Reward"}, {pair.first.label} minus{" "}
            {pair.second.label}.
            {pair.axis.undetectable === null
              ? null
              : " Grey: too small for this sample to detect (power below 80 %)."}
          </figcaption>
        </figure>
      )}
      <dl>
        {paired.kind === "unavailable"
          ? null
          : listFacts(paired, pair.words, pairs.length).map((fact) => (
              <div key={fact.term} title={fact.title ?? undefined}>
                <dt>{fact.term}</dt>
                <dd>{fact.value ?? MISSING}</dd>
              </div>
            ))}
        <Comparability comparison={comparison} />
      </dl>
    </section>
  );
}

const STATE_MARKS = { same: "passed", differs: "partial", unknown: "unscored" } as const;

function Comparability({ comparison }: { comparison: Comparison }) {
  const { checks } = comparison;
  const holding = checks.filter(({ state }) => state === "same").length;
  const differing = checks.filter(({ state }) => state === "differs");
  const words = differing.length > 0 ? differing : checks.filter(({ state }) => state === "unknown");
  const names = words.map(({ name }) => name).join(", ");
  return (
    <div className="verdict-checks">
      <dt>Comparable</dt>
      <dd>
        <details data-menu="">
          <summary>
            <Mark
              status={differing.length > 0 ? "partial" : holding === checks.length ? "passed" : "unscored"}
            />
            {holding} of {checks.length} checks
            {names === "" ? null : (
              <span className="muted">{differing.length > 0 ? `differ: ${names}` : `unknown: ${names}`}</span>
            )}
            <ChevronDown size={12} aria-hidden />
          </summary>
          <CheckList checks={checks} />
        </details>
      </dd>
    </div>
  );
}

export function CheckList({ checks }: { checks: Comparison["checks"] }) {
  return (
    <ul className="verdict-list">
      {checks.map((check) => (
        <li key={check.name}>
          <Mark status={STATE_MARKS[check.state]} label={check.state} />
          <b>{check.name}</b>
          <span className="muted">{check.detail}</span>
        </li>
      ))}
    </ul>
  );
}
