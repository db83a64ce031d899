import { ExactNumber } from "@/components/ui/exact-number";
import { Mark } from "@/components/ui/mark";
import { Preformatted } from "@/components/ui/preformatted";
import type { BreakdownDimension, BreakdownSource } from "@/lib/core/domain/breakdown";
import { isSameAsKey, listShares, namesAbove, namesBelow } from "@/lib/core/domain/dimension-names";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import type { TrialPage } from "@/lib/pages/trial/page";
import type { TaskAround } from "@/lib/pages/trial/task";

import { ShowAllOf } from "../trial-parts";

/** Open dimensions; more would push the review form out of reach. */
const MOST_OPEN = 12;

export function DimensionList({ page, source }: { page: TrialPage; source: BreakdownSource }) {
  // A later part was requested, so nothing in it is folded.
  const isFirst = page.parts.dimensions.from === 0;
  return (
    <>
      {source.step === null ? null : <h3>{source.step}</h3>}
      <ul className="dimensions">
        <DimensionRows
          dimensions={source.dimensions}
          isFirst={isFirst}
          above={namesAbove(source)}
          others={page.task.others}
        />
      </ul>
      <p className="caption">
        From {source.file}.{" "}
        {source.statedReward === null
          ? listKeysShown(page, [source]).size > 0
            ? "Reward keys with the same name and value are not listed again."
            : "Not part of the reward."
          : `It records reward ${source.statedReward}.`}{" "}
        <ShowAllOf page={page} file={source.file} />
      </p>
    </>
  );
}

export function listKeysShown(
  { rewards }: Pick<TrialPage, "rewards">,
  sources: readonly BreakdownSource[],
): ReadonlySet<string> {
  const shares = new Map(sources.flatMap(listShares));
  const isShown = ({ key, text }: TrialPage["rewards"][number]) => {
    const share = shares.get(key)?.share ?? null;
    return share !== null && isSameAsKey(share, Number(text));
  };
  return new Set(rewards.filter(isShown).map(({ key }) => key));
}

interface RowContext {
  readonly isFirst: boolean;
  /** Prefix of their names in the index; null if the index does not have them. */
  readonly above: string | null;
  readonly others: TaskAround["others"];
}

function DimensionRows({
  dimensions,
  ...context
}: RowContext & { readonly dimensions: readonly BreakdownDimension[] }) {
  const sorted = dimensions.toSorted((a, b) => (a.normalised ?? Infinity) - (b.normalised ?? Infinity));
  const nOpen = context.isFirst ? MOST_OPEN : sorted.length;
  const draw = (dimension: BreakdownDimension, at: number) => (
    <DimensionRow key={`${at}-${dimension.name}`} dimension={dimension} {...context} />
  );
  return (
    <>
      {sorted.slice(0, nOpen).map(draw)}
      {sorted.length > nOpen ? (
        <li>
          <details>
            <summary className="caption">{formatCount(sorted.length - nOpen)} more</summary>
            <ul>{sorted.slice(nOpen).map(draw)}</ul>
          </details>
        </li>
      ) : null}
    </>
  );
}

function DimensionRow({
  dimension,
  isFirst,
  above,
  others,
}: RowContext & { readonly dimension: BreakdownDimension }) {
  const { name, weight, maxScore, children, rawJson } = dimension;
  const other = above === null ? undefined : others.get(above + name);
  return (
    <li className="dimension">
      <div className="dimension-line">
        <span className="cut" title={weight === null ? name : `${name}, weight ${weight}`}>
          {name}
        </span>
        <span className="muted dimension-weight">{weight === null ? "" : weight}</span>
        {dimension.normalised === null ? (
          <span />
        ) : other === undefined ? (
          <ShareBar share={dimension.normalised} />
        ) : (
          <ShareAmongOthers share={dimension.normalised} others={other.shares} />
        )}
        <ScoreText dimension={dimension} />
        {other === undefined ? null : (
          <span
            className="muted numeric"
            title={`mean of ${formatPlural(other.shares.length, "other trial")} of this task`}
          >
            {other.mean.toFixed(2)}
          </span>
        )}
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
          <Preformatted className="step-pre" tabIndex={0}>
            {rawJson}
          </Preformatted>
        </details>
      )}
      {children.length === 0 ? null : (
        <ul className="dimension-children">
          <DimensionRows
            dimensions={children}
            isFirst={isFirst}
            above={above === null ? null : namesBelow(above, dimension)}
            others={others}
          />
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

/** Shares of one get two decimals, so that columns align; counts and other scales are shown as written. */
function isShare(score: number | null, maxScore: number | null): score is number {
  return (
    score !== null &&
    (maxScore === 1 || (maxScore === null && !Number.isInteger(score))) &&
    Math.abs(score) <= 1
  );
}

const BAR_WIDTH = 64;

function ShareBar({ share }: { share: number }) {
  return (
    <svg
      className="dimension-share"
      viewBox={`0 0 ${BAR_WIDTH} 8`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="share-whole" d={`M0 4h${BAR_WIDTH}`} />
      <path className="share-part" d={`M0 4h${share * BAR_WIDTH}`} />
      <path className="share-end" d={`M${share * BAR_WIDTH} 0v8`} />
    </svg>
  );
}

const N_BINS = 12;
const BIN_WIDTH = BAR_WIDTH / N_BINS;

function ShareAmongOthers({ share, others }: { share: number; others: readonly number[] }) {
  const counts = Array.from({ length: N_BINS }, () => 0);
  for (const other of others) {
    const bin = Math.min(N_BINS - 1, Math.floor(other * N_BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  const columns = counts.map((n, bin) =>
    n === 0 ? "" : `M${(bin + 0.5) * BIN_WIDTH} 13v-${Math.max(1.5, (12 * n) / most)}`,
  );
  const x = share * BAR_WIDTH;
  return (
    <svg className="share-among" viewBox={`-3 0 ${BAR_WIDTH + 6} 20`} aria-hidden="true">
      <path className="share-axis" d={`M0 13.5h${BAR_WIDTH}`} />
      <path className="share-columns" d={columns.join("")} />
      <path className="share-own" d={`M${x} 15l3 4h-6z`} />
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
