import { ChevronDown, ChevronUp } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { CommandKey } from "@/components/shell/command-key";
import type { CommandId } from "@/components/shell/key-map";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { PartPager } from "@/components/ui/pager";
import { Segment } from "@/components/ui/segment";
import { WINDOW_LINES } from "@/lib/core/domain/trial-lists";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { diffHref, type DiffParams } from "@/lib/pages/diff/address";
import type { DiffPage, DiffTrial } from "@/lib/pages/diff/page";
import { openTrialHref } from "@/lib/pages/trial/address";
import type { DiffSteps } from "@/lib/read/trial-reading";

import { ScrollTo } from "../trial/trial-controls";
import { StepLine, StepPane } from "./step-line";

const LETTERS = ["A", "B"] as const;

export function DiffStepsPanel({ page, params }: { page: DiffPage; params: DiffParams }) {
  const { steps, sources } = page.reading;
  const { lines, part, isRowUnknown, differences } = steps;
  if (part.total === 0) return <NoSteps page={page} />;
  const [nA, nB] = [sources.a.nSteps ?? 0, sources.b.nSteps ?? 0];
  const hrefOf = (link: Partial<DiffParams>) => diffHref({ ...params, from: null, ...link });
  const current = params.row === null || isRowUnknown ? null : params.row;
  const pager = (
    <PartPager
      part={part}
      size={WINDOW_LINES}
      noun="line"
      label="Pages of the lines"
      mode="stay"
      hrefOf={(from) => hrefOf({ from, row: params.row })}
    />
  );
  return (
    <>
      <MissingTrace page={page} />
      {nA === 0 || nB === 0 ? null : (
        <>
          <DiffTools page={page} params={params} hrefOf={hrefOf} />
          <AlignmentFigure steps={steps} nA={nA} nB={nB} />
        </>
      )}
      {isRowUnknown ? (
        <p className="step-note" role="status">
          There is no row {params.row}; the trajectories may have changed since.
        </p>
      ) : null}
      {part.from > 0 ? pager : null}
      {params.isApart ? (
        <div className="pair-panes">
          {LETTERS.map((letter) => (
            <StepPane
              key={letter}
              lines={lines}
              page={page}
              letter={letter}
              hrefOf={(row) => hrefOf({ row })}
            />
          ))}
        </div>
      ) : (
        <ol className="step-pairs">
          {lines.map((line) => (
            <StepLine key={line.from} line={line} page={page} href={hrefOf({ row: line.from + 1 })} />
          ))}
        </ol>
      )}
      {pager}
      <Methods>
        <p>
          Calls and messages are aligned individually, in order. Equal calls come first (longest common
          subsequence), then messages of equal text and calls with the same first argument, then calls of the
          same tool and messages of the same source.
        </p>
        <p>
          Calls are equal if tool name and arguments are equal as text; results are equal if their text is.
          Nothing is normalised, so a time or an id in an output makes it differ. “words differ” marks an
          equal call with other text of the agent. Images are counted but not compared. The first divergence
          is the first call that only one trial makes.
        </p>
      </Methods>
      {current === null
        ? null
        : (params.isApart ? LETTERS.map((letter) => `${current}-${letter}`) : [String(current)]).map(
            (row) => <ScrollTo key={row} id={`row-${row}`} block="nearest" focus="link" />,
          )}
      <span className="screen-reader" role="status">
        {differences.number === null ? "" : `Difference ${differences.number} of ${differences.total}`}
      </span>
    </>
  );
}

function MissingTrace({ page: { a, b, reading } }: { page: DiffPage }) {
  const missing = [
    { letter: "A", side: a, source: reading.sources.a },
    { letter: "B", side: b, source: reading.sources.b },
  ].filter(({ source }) => source.nSteps === null || source.nSteps === 0);
  return missing.map(({ letter, side, source }) => (
    <p key={letter} className="step-note diff-missing" role="status">
      {letter} has no steps: {describeMissing(side, source)}{" "}
      <Link href={openTrialHref(side.at)}>Its page</Link> lists the searched files.
    </p>
  ));
}

function describeMissing(
  { trial }: DiffTrial,
  { nSteps, issues }: DiffPage["reading"]["sources"]["a"],
): string {
  const issue = issues.find(({ path }) => /trajectory[^/]*$/.test(path));
  if (issue !== undefined) return `${issue.path} cannot be read. ${issue.detail}`;
  if (nSteps === 0) return "its trajectory is empty.";
  if (trial.ledger !== null) return "a ledger stores agents’ work in separate files.";
  if (trial.folder === "") return "it has no folder.";
  if (trial.state === "running")
    return "it is still running, and most agents write their trajectory at the end.";
  return "its folder has no trajectory or log that Assay can read.";
}

function NoSteps({ page }: { page: DiffPage }) {
  return (
    <Notice title="Neither trial has a trajectory">
      <MissingTrace page={page} />
    </Notice>
  );
}

const WIDTH = 1_000;
const TOP = { from: 6, to: 16 };
const BOTTOM = { from: 60, to: 70 };
/** More steps are indistinguishable in a strip. */
const MOST_PARTS = 300;

function AlignmentFigure({ steps, nA, nB }: { steps: DiffSteps; nA: number; nB: number }) {
  const { map, divergence, counts } = steps;
  const hasErrors = map.nErrors.a + map.nErrors.b > 0;
  return (
    <figure className="alignment">
      <div className="alignment-labels caption">
        <span>A, {formatPlural(nA, "step")}</span>
        <span>B, {formatPlural(nB, "step")}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} 76`} preserveAspectRatio="none" role="img" aria-label={describe(steps)}>
        {map.ribbons.map(({ relation, a, b }) => (
          <path
            key={`${a.from} ${b.from}`}
            className={`alignment-ribbon alignment-${relation}`}
            d={drawRibbon([a.from / nA, a.to / nA], [b.from / nB, b.to / nB])}
          />
        ))}
        <Strip total={nA} y={TOP} />
        <Strip total={nB} y={BOTTOM} />
        {hasErrors ? (
          <path className="alignment-error" d={drawTicks(map.errors.a, 0) + drawTicks(map.errors.b, 72)} />
        ) : null}
        {divergence === null ? null : (
          <path
            className="alignment-divergence"
            d={drawDivergence(share(divergence.places.a, nA), share(divergence.places.b, nB))}
          />
        )}
      </svg>
      <figcaption className="caption">
        <span className="alignment-key alignment-key-same">same call and result</span>
        <span className="alignment-key alignment-key-result">same call, result differs</span>
        <span className="alignment-key alignment-key-call">call or text differs</span>
        {divergence === null ? null : (
          <span className="alignment-key alignment-key-divergence">first divergence</span>
        )}
        {hasErrors ? <span className="alignment-key alignment-key-error">step with an error</span> : null}
        {map.nRibbons > map.ribbons.length ? (
          <span>
            the {formatCount(map.ribbons.length)} longest of {formatCount(map.nRibbons)} runs are drawn
          </span>
        ) : null}
        <span className="alignment-counts">
          {formatCount(counts.same)} same, {formatCount(counts.result + counts.call + counts.text)} differ,{" "}
          {formatCount(counts["only-a"])} only A, {formatCount(counts["only-b"])} only B
        </span>
      </figcaption>
    </figure>
  );
}

function Strip({ total, y }: { total: number; y: typeof TOP }) {
  const dash = WIDTH / total;
  return (
    <line
      className="alignment-strip"
      x1={0}
      x2={WIDTH}
      y1={(y.from + y.to) / 2}
      y2={(y.from + y.to) / 2}
      {...(total > MOST_PARTS
        ? {}
        : { strokeDasharray: `${(dash * 0.85).toFixed(3)} ${(dash * 0.15).toFixed(3)}` })}
    />
  );
}

const place = (at: number) => (at * WIDTH).toFixed(1);

function drawRibbon(top: readonly [number, number], bottom: readonly [number, number]): string {
  return `M${place(top[0])} ${TOP.to}L${place(top[1])} ${TOP.to}L${place(bottom[1])} ${BOTTOM.from}L${place(bottom[0])} ${BOTTOM.from}Z`;
}

function drawTicks(shares: readonly number[], y: number): string {
  return shares.map((at) => `M${place(at)} ${y}v4`).join("");
}

function share(index: number | null, total: number): number | null {
  return index === null ? null : index / total;
}

function drawDivergence(a: number | null, b: number | null): string {
  const top = a === null ? "" : `M${place(a)} ${TOP.from - 4}V${TOP.to}`;
  const bottom = b === null ? "" : `M${place(b)} ${BOTTOM.from}V${BOTTOM.to + 4}`;
  const joint = a === null || b === null ? "" : `M${place(a)} ${TOP.to}L${place(b)} ${BOTTOM.from}`;
  return top + joint + bottom;
}

function describe({ counts, divergence }: DiffSteps): string {
  const parts = [
    `${formatPlural(counts.same, "step")} the same`,
    `${formatCount(counts.result + counts.call + counts.text)} that differ`,
    `${formatCount(counts["only-a"])} only in A`,
    `${formatCount(counts["only-b"])} only in B`,
  ];
  if (divergence === null) return `Alignment: ${parts.join(", ")}`;
  const places = [["A", divergence.a] as const, ["B", divergence.b] as const].flatMap(([letter, key]) =>
    key === null ? [] : `${letter} ${key}`,
  );
  return `Alignment: ${parts.join(", ")}; first divergence at ${places.join(", ")}`;
}

function DiffTools({
  page,
  params,
  hrefOf,
}: {
  page: DiffPage;
  params: DiffParams;
  hrefOf: (link: Partial<DiffParams>) => Route;
}) {
  const { calls, divergence, differences } = page.reading.steps;
  const rowHref = (row: number | null) => (row === null ? null : hrefOf({ row: row + 1 }));
  return (
    <div className="flow diff-tools" role="group" aria-label="Go through the steps">
      <span className="diff-summary">
        {formatCount(calls.same)} of {formatPlural(calls.a, "call")} in A {calls.same === 1 ? "has" : "have"}{" "}
        an equal one among {formatCount(calls.b)} in B
      </span>
      <ToolLink
        href={rowHref(divergence?.row ?? null)}
        command="diff.divergence"
        title="Go to the first divergence"
      >
        {divergence === null ? (
          "No call differs"
        ) : (
          <>
            First divergence <CommandKey id="diff.divergence" />
          </>
        )}
      </ToolLink>
      <span className="row">
        <ToolLink
          href={rowHref(differences.previous)}
          command="diff.previous"
          title="Previous difference"
          isIcon
        >
          <ChevronUp size={16} aria-hidden />
        </ToolLink>
        <span className="nowrap">
          {differences.number === null ? "" : `${formatCount(differences.number)} of `}
          {formatPlural(differences.total, "difference")}
        </span>
        <ToolLink href={rowHref(differences.next)} command="diff.next" title="Next difference" isIcon>
          <ChevronDown size={16} aria-hidden />
        </ToolLink>
      </span>
      <Segment
        label="Equal steps"
        value={params.isUnfolded ? "all" : "folded"}
        options={[
          { value: "folded", label: "Folded", title: "Fold equal steps and steps of one side" },
          { value: "all", label: "All steps" },
        ]}
        hrefOf={(value) => hrefOf({ isUnfolded: value === "all", row: params.row })}
      />
      <ToolLink
        href={hrefOf({ isApart: !params.isApart, row: params.row, from: params.from })}
        command="diff.scroll"
        title={params.isApart ? "Align matching steps" : "Scroll trajectories independently"}
      >
        {params.isApart ? "Scroll together" : "Scroll apart"} <CommandKey id="diff.scroll" />
      </ToolLink>
    </div>
  );
}

function ToolLink({
  href,
  command,
  title,
  isIcon = false,
  children,
}: {
  href: Route | null;
  command: CommandId;
  title: string;
  isIcon?: boolean;
  children: ReactNode;
}) {
  const className = isIcon ? "button icon-only" : "button";
  if (href === null) {
    return (
      <span className={className} aria-disabled="true">
        {children}
      </span>
    );
  }
  return (
    <Link
      className={className}
      href={href}
      mode="stay"
      title={title}
      {...(isIcon ? { "aria-label": title } : {})}
      data-command={command}
    >
      {children}
    </Link>
  );
}
