import { ChevronDown } from "lucide-react";

import { DifferencePlot } from "@/components/charts/difference-plot";
import { Mark } from "@/components/ui/mark";
import { formatPoints, formatReward, MISSING } from "@/lib/format/number";
import type { ComparedPair, Comparison } from "@/lib/queries/compare-page";
import type { PairedComparison } from "@/lib/stats";

import "./verdict.css";

/** A difference with its sign, in points for rates and in the reward's own unit otherwise. */
export function formatDifference(difference: number, isRate: boolean): string {
  if (isRate) return formatPoints(difference);
  return `${difference > 0 ? "+" : ""}${formatReward(difference)}`;
}

function describeSize(difference: number, isRate: boolean): string {
  return isRate ? `${(Math.abs(difference) * 100).toFixed(1)} points` : formatReward(Math.abs(difference));
}

/** p as text: three decimals, never 0. */
export function formatP(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

function listFacts(
  comparison: PairedComparison,
  basis: string | null,
): readonly { term: string; value: string; title?: string }[] {
  const { bounds, test, detectable, isRate } = comparison;
  const detects = detectable.kind === "computed" ? detectable : null;
  return [
    {
      term: "95 % interval",
      value:
        bounds.kind === "unavailable"
          ? MISSING
          : `${formatDifference(bounds.low, isRate)} to ${formatDifference(bounds.high, isRate)}`,
      ...(basis === null ? {} : { title: basis }),
    },
    {
      term: "p, sign flip",
      value: formatP(test.p),
      title:
        test.method === "exact"
          ? "Every pattern of signs"
          : `${test.patterns.toLocaleString("en-US")} drawn patterns, seed ${test.seed}`,
    },
    { term: "Won, tied, lost", value: `${comparison.won}, ${comparison.tied}, ${comparison.lost}` },
    {
      term: "Detects, 80 % power",
      value: detects === null ? MISSING : describeSize(detects.difference, isRate),
      title: "The smallest true difference that the interval of 80 of 100 such comparisons would show",
    },
    {
      term: "With twice the attempts",
      value:
        detects?.withTwiceTheAttempts === null || detects === null
          ? MISSING
          : describeSize(detects.withTwiceTheAttempts, isRate),
      title: detects?.allSpreadIsTrialNoise
        ? "All spread looks like trial noise here, so this is the most hopeful value"
        : "What the same tasks with twice as many attempts would detect",
    },
  ];
}

/** Which of two groups is better, with the interval, what the pair cannot detect, and whether it may be compared at all. */
export function Verdict({ pair, comparison }: { pair: ComparedPair; comparison: Comparison }) {
  const paired = pair.comparison;
  const first = comparison.groups[0]?.label ?? "";
  return (
    <section className="verdict" aria-label="Verdict">
      <div>
        <p className="verdict-main">{pair.sentence}</p>
        {pair.detail === null ? null : <p className="verdict-detail">{pair.detail}</p>}
      </div>
      {pair.axis === null ? null : (
        <figure>
          <DifferencePlot axis={pair.axis} />
          <figcaption className="caption">
            {paired.kind === "computed" && paired.isRate ? "Points" : "Reward"}, {first} minus{" "}
            {pair.other.label}.
            {pair.axis.undetectable === null ? null : " Grey: differences this pair would often miss."}
          </figcaption>
        </figure>
      )}
      <dl>
        {paired.kind === "unavailable"
          ? null
          : listFacts(paired, pair.basis).map((fact) => (
              <div key={fact.term} title={fact.title}>
                <dt>{fact.term}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
        <Comparability comparison={comparison} />
      </dl>
    </section>
  );
}

/** How many conditions of a fair comparison hold; opens to each of them. */
export function Comparability({ comparison }: { comparison: Comparison }) {
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
          <ul className="verdict-list">
            {checks.map((check) => (
              <li key={check.name}>
                <Mark
                  status={
                    check.state === "same" ? "passed" : check.state === "differs" ? "partial" : "unscored"
                  }
                  label={check.state}
                />
                <b>{check.name}</b>
                <span className="muted">{check.detail}</span>
              </li>
            ))}
          </ul>
        </details>
      </dd>
    </div>
  );
}
