import { ExactNumber } from "@/components/ui/exact-number";
import { Mark } from "@/components/ui/mark";
import type { BreakdownDimension, BreakdownSource } from "@/lib/domain/breakdown";
import { formatCount, formatPlural, MISSING } from "@/lib/format/number";
import type { TrialPage } from "@/lib/queries/trial/page";

import { ShowAllOf } from "../trial-parts";

/** Dimensions of a list that are open, so that a long one does not keep the review form out of reach. */
const MOST_OPEN = 12;

/** The dimensions of one file, in its order, each with its weight, share and score as written. */
export function DimensionList({ page, source }: { page: TrialPage; source: BreakdownSource }) {
  // A later part was asked for, so nothing of it is folded.
  const isFirst = page.parts.dimensions.from === 0;
  return (
    <>
      {source.step === null ? null : <h3>{source.step}</h3>}
      <ul className="dimensions">
        <DimensionRows dimensions={source.dimensions} isFirst={isFirst} />
      </ul>
      <p className="caption">
        From {source.file}.{" "}
        {source.statedReward === null
          ? "Not part of the reward."
          : `It states reward ${source.statedReward} itself.`}{" "}
        <ShowAllOf page={page} file={source.file} />
      </p>
    </>
  );
}

function DimensionRows({
  dimensions,
  isFirst,
}: {
  dimensions: readonly BreakdownDimension[];
  isFirst: boolean;
}) {
  const nOpen = isFirst ? MOST_OPEN : dimensions.length;
  const draw = (dimension: BreakdownDimension, at: number) => (
    <DimensionRow key={`${at}-${dimension.name}`} dimension={dimension} isFirst={isFirst} />
  );
  return (
    <>
      {dimensions.slice(0, nOpen).map(draw)}
      {dimensions.length > nOpen ? (
        <li>
          <details>
            <summary className="caption">{formatCount(dimensions.length - nOpen)} more</summary>
            <ul>{dimensions.slice(nOpen).map(draw)}</ul>
          </details>
        </li>
      ) : null}
    </>
  );
}

function DimensionRow({ dimension, isFirst }: { dimension: BreakdownDimension; isFirst: boolean }) {
  const { name, weight, maxScore, children, rawJson } = dimension;
  return (
    <li className="dimension">
      <div className="dimension-line">
        <span className="cut" title={name}>
          {name}
        </span>
        <span className="muted dimension-weight">{weight === null ? "" : weight}</span>
        {dimension.normalised === null ? <span /> : <ShareBar share={dimension.normalised} />}
        <ScoreText dimension={dimension} />
      </div>
      {dimension.clamped ? <p className="caption">Outside 0 to {maxScore ?? 1}; the bar is cut.</p> : null}
      {dimension.evidence === null ? null : (
        <p className="caption dimension-evidence">{dimension.evidence}</p>
      )}
      {dimension.warnings.map((warning) => (
        <p key={warning} className="caption">
          Warning: {warning}
        </p>
      ))}
      {dimension.nCriteria === 0 ? null : <CriteriaList dimension={dimension} isFirst={isFirst} />}
      {rawJson === null ? null : (
        <details>
          <summary className="caption">as written</summary>
          <pre className="step-pre" tabIndex={0}>
            {rawJson}
          </pre>
        </details>
      )}
      {children.length === 0 ? null : (
        <ul className="dimension-children">
          <DimensionRows dimensions={children} isFirst={isFirst} />
        </ul>
      )}
    </li>
  );
}

function ScoreText({
  dimension: { score, scoreText, maxScore, nChildren, rawJson },
}: {
  dimension: BreakdownDimension;
}) {
  if (scoreText === null)
    return <span className="numeric">{nChildren > 0 || rawJson !== null ? "" : MISSING}</span>;
  return (
    <span className="numeric nowrap">
      {isShare(score, maxScore) ? <ExactNumber shown={score.toFixed(2)} exact={scoreText} /> : scoreText}
      {maxScore === null || maxScore === 1 ? null : <span className="muted"> / {maxScore}</span>}
    </span>
  );
}

/** Shares of one are shown with two decimals, so that a column of them lines up; counts and other scales as written. */
function isShare(score: number | null, maxScore: number | null): score is number {
  return (
    score !== null &&
    (maxScore === 1 || (maxScore === null && !Number.isInteger(score))) &&
    Math.abs(score) <= 1
  );
}

function ShareBar({ share }: { share: number }) {
  return (
    <svg className="share-bar" viewBox="0 0 64 8" preserveAspectRatio="none" aria-hidden="true">
      <path className="share-whole" d="M0 4h64" />
      <path className="share-part" d={`M0 4h${share * 64}`} />
      <path className="share-end" d={`M${share * 64} 0v8`} />
    </svg>
  );
}

function CriteriaList({
  dimension: { criteria, nCriteria, nMet, method },
  isFirst,
}: {
  dimension: BreakdownDimension;
  isFirst: boolean;
}) {
  const all = formatPlural(nCriteria, "criterion", "criteria");
  return (
    <details open={!isFirst && criteria.length > 0}>
      <summary className="caption">
        {nMet === null ? all : `${formatCount(nMet)} of ${all} met`}
        {method === null ? "" : `, ${method}`}
      </summary>
      <ul className="criteria">
        {criteria.map((criterion, at) => (
          <li key={at}>
            {criterion.satisfied === null ? (
              <span className="muted criterion-value">{criterion.value ?? MISSING}</span>
            ) : (
              <Mark
                status={criterion.satisfied ? "passed" : "failed"}
                label={criterion.satisfied ? "met" : "not met"}
              />
            )}
            <span>
              {criterion.name}
              {[criterion.description, criterion.reasoning, criterion.error].map((text) =>
                text === null ? null : (
                  <span key={text} className="caption criterion-text">
                    {text}
                  </span>
                ),
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
