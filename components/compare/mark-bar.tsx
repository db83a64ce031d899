import { Link } from "@/components/ui/link";
import type { MarkScale } from "@/lib/core/charts/mark-scale";
import type { MarkColour } from "@/lib/core/domain/compare-filter";
import { MARK_VERDICTS, type MarkVerdict } from "@/lib/core/domain/matrix-marks";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { compareParamsHref, type CompareParams } from "@/lib/pages/compare/address";
import type { Matrix } from "@/lib/pages/compare/matrix";

import { nameLevel, nameVerdict } from "./mark-classes";
import { PickToggle } from "./matrix-picks";
import { Segment } from "./segment";

import "./mark-bar.css";

const COLOURS: Readonly<Record<MarkColour, { readonly label: string; readonly title: string }>> = {
  outcome: { label: "Outcome", title: "What became of the attempt" },
  reward: { label: "Reward", title: "Reward of the attempt" },
  cost: { label: "Cost", title: "Cost of the attempt in US dollars" },
  time: { label: "Time", title: "From start to end of the attempt" },
  tokens: { label: "Tokens", title: "Input and output of the attempt together" },
};

const VERDICTS: Readonly<Record<MarkVerdict, string>> = {
  "pass-against": "reviewers pass, verifier does not",
  "fail-against": "reviewers fail, verifier passes",
  agrees: "reviewers agree with the verifier",
  open: "undecided",
};

export function MarkBar({
  matrix: { colours, verdicts },
  params,
}: {
  matrix: Matrix;
  params: CompareParams;
}) {
  const { options, scale } = colours;
  const nJudged = MARK_VERDICTS.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  const isOn = params.hasVerdicts;
  return (
    <div className="mark-bar" role="group" aria-label="What marks show">
      {options.length < 2 ? null : (
        <span className="mark-bar-choice">
          <span className="muted">Colour</span>
          <Segment
            label="What marks are coloured by"
            value={params.colour}
            options={options.map((value) => ({ value, ...COLOURS[value] }))}
            hrefOf={(colour) => compareParamsHref(params, { colour })}
          />
        </span>
      )}
      {nJudged === 0 ? null : (
        <Link
          className={isOn ? "chip chip-on" : "chip"}
          href={compareParamsHref(params, { hasVerdicts: !isOn })}
          aria-current={isOn ? "true" : undefined}
          title="Marks what reviewers say of an attempt"
          mode="replace"
        >
          Verdicts {formatCount(nJudged)}
        </Link>
      )}
      <PickToggle />
      {scale === null ? null : <ScaleLegend scale={scale} />}
      {isOn && nJudged > 0 ? <VerdictLegend counts={verdicts} /> : null}
    </div>
  );
}

function VerdictLegend({ counts }: { counts: Matrix["verdicts"] }) {
  return (
    <span className="caption mark-scale">
      {MARK_VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => (
        <span key={verdict} className="mark-key">
          <span className={`mark-tile ${nameVerdict(verdict)}`} aria-hidden="true" />
          {VERDICTS[verdict]}, {formatCount(counts[verdict])}
        </span>
      ))}
      <span>Attempts of all tasks, against the outcome that the verifier recorded.</span>
    </span>
  );
}

function ScaleLegend({ scale: { measure, steps, range, nKnown, nUnknown } }: { scale: MarkScale }) {
  return (
    <span className="caption mark-scale">
      {steps.map((words, level) => (
        <span key={words} className="mark-key">
          <span className={`mark-tile ${nameLevel(level)}`} aria-hidden="true" />
          {words}
        </span>
      ))}
      {nUnknown === 0 ? null : (
        <span className="mark-key">
          <span className={`mark-tile ${nameLevel(null)}`} aria-hidden="true" />
          {measure === "reward" ? "no reward" : "unknown"}, {formatCount(nUnknown)}
        </span>
      )}
      <span>
        {range === null
          ? `No attempt states its ${measure}.`
          : `${formatPlural(nKnown, "attempt")}, ${range[0] === range[1] ? `all ${range[0]}` : `${range[0]} to ${range[1]}`}.`}
      </span>
    </span>
  );
}
