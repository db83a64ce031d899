import { Fragment } from "react";

import { pickChartGroup } from "@/lib/core/charts/chart-group";
import { MAX_COLOURED } from "@/lib/core/domain/compare-filter";
import { formatSize } from "@/lib/core/format/number";
import type { ComparedGroup, ComparedPair, Comparison } from "@/lib/pages/compare/page";

import { type ForestGroup, type ForestLine, ForestTable } from "./forest-table";
import { GroupOrder } from "./group-order";
import { RowBaseline } from "./row-baseline";

import "./forest-section.css";

export function ForestSection({ comparison }: { comparison: Comparison }) {
  const { groups, pairs, adjustment } = comparison;
  const [baseline] = groups;
  if (baseline === undefined) return null;
  const ordered = orderPairs(pairs);
  const nBefore = ordered.filter(
    ({ comparison: one }) => one.kind === "computed" && one.difference >= 0,
  ).length;
  const isShort = groups.length <= MAX_COLOURED;
  const lines = ordered.map((pair) => pickLine(pair, groups));
  const cautions = pairs.filter(({ words }) => words.caution !== null);
  return (
    <section className="section forest" aria-label="All groups against the baseline">
      <div className="row forest-head">
        <h2>All groups against the baseline</h2>
        <GroupOrder groups={groups.map(({ id, label, refs }) => ({ id, label, refs }))} />
      </div>
      <RowBaseline groups={groups.map(({ refs }) => refs)}>
        <ForestTable
          baseline={pickGroup(baseline, isShort)}
          ticks={pairs.find((pair) => pair.axis !== null)?.axis?.ticks ?? null}
          isRate={pairs.every(({ comparison: one }) => one.kind === "unavailable" || one.isRate)}
          before={lines.slice(0, nBefore)}
          after={lines.slice(nBefore)}
        />
      </RowBaseline>
      <p className="caption">
        Mean reward, paired by task. Grey: differences too small for this sample to detect (power below 80 %).{" "}
        {adjustment}
        {cautions.map(({ first, words }) => (
          <Fragment key={first.id}>
            {" "}
            {first.label}: {words.caution}
          </Fragment>
        ))}
      </p>
    </section>
  );
}

/** With many groups the methods section says how means were computed instead. */
function pickGroup(group: ComparedGroup, isShort: boolean): ForestGroup {
  const { value, range, basis } = group.cells.mean;
  return { group: pickChartGroup(group), mean: { value, range, ...(isShort ? { basis } : {}) } };
}

function pickLine(pair: ComparedPair, groups: readonly ComparedGroup[]): ForestLine {
  const { comparison, words, axis } = pair;
  const at = groups.findIndex(({ id }) => id === pair.first.id);
  const isShort = groups.length <= MAX_COLOURED;
  const group = pickGroup(pair.first, isShort);
  // With many groups the table of curves carries this detail.
  const detail = isShort ? words.detail : null;
  const sentence = [words.sentence, detail, words.caution].filter((part) => part !== null).join(" ");
  if (comparison.kind === "unavailable") return { at, ...group, sentence: words.sentence, pair: null };
  const { isRate, detectable, won, tied, lost, nTasks } = comparison;
  return {
    at,
    ...group,
    sentence,
    pair: {
      axis: axis && { interval: axis.interval, undetectable: axis.undetectable, summary: axis.summary },
      difference: words.difference,
      interval: words.interval,
      intervalBasis: words.intervalBasis,
      pValue: words.pValue,
      pBasis: words.pBasis,
      verdict: words.verdict,
      isClear: words.verdict === "better" || words.verdict === "worse",
      detects: detectable.kind === "unavailable" ? null : formatSize(detectable.difference, isRate),
      record: [won, tied, lost].join(", "),
      nTasks,
    },
  };
}

function orderPairs(pairs: readonly ComparedPair[]): readonly ComparedPair[] {
  const read = ({ comparison }: ComparedPair) =>
    comparison.kind === "computed" ? comparison.difference : Number.NEGATIVE_INFINITY;
  return pairs.toSorted((a, b) => {
    const [left, right] = [read(a), read(b)];
    return left === right ? 0 : right - left;
  });
}
