import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { PartPager } from "@/components/ui/pager";
import { WINDOW_LINES } from "@/lib/core/domain/trial-lists";
import { besideHref, type BesideParams } from "@/lib/pages/beside/address";
import type { BesidePage, BesideTrial } from "@/lib/pages/beside/page";
import { openTrialHref } from "@/lib/pages/trial/address";

import { ScrollTo } from "../trial/scroll-to";
import { AlignmentFigure } from "./alignment-figure";
import { StepLine, StepPane } from "./step-line";
import { BesideTools } from "./step-tools";

const LETTERS = ["A", "B"] as const;

export function BesideStepsPanel({ page, params }: { page: BesidePage; params: BesideParams }) {
  const { steps, sources } = page.reading;
  const { lines, part, isRowUnknown, differences } = steps;
  if (part.total === 0) return <NoSteps page={page} />;
  const [nA, nB] = [sources.a.nSteps ?? 0, sources.b.nSteps ?? 0];
  const hrefOf = (link: Partial<BesideParams>) => besideHref({ ...params, from: null, ...link });
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
          <BesideTools page={page} params={params} hrefOf={hrefOf} />
          <AlignmentFigure steps={steps} nA={nA} nB={nB} />
        </>
      )}
      {isRowUnknown ? (
        <p className="step-note" role="status">
          There is no row {params.row}; the trajectories may have changed since the link was made.
        </p>
      ) : null}
      {part.from > 0 ? pager : null}
      {params.isApart ? (
        <div className="beside-panes">
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
        <ol className="beside-lines">
          {lines.map((line) => (
            <StepLine key={line.from} line={line} page={page} href={hrefOf({ row: line.from + 1 })} />
          ))}
        </ol>
      )}
      {pager}
      <Methods>
        <p>
          Calls and messages are aligned one by one, also those of one step: as many equal calls as possible,
          in order (a longest common subsequence), then messages of equal text and calls with the same first
          argument in between, then calls of the same tool and messages of the same source.
        </p>
        <p>
          A call is the same when tool name and arguments are equal as text, a result when its text is equal;
          nothing is normalised, so a time or an id in an output makes it differ. What an agent writes beside
          an equal call is not part of that: “words differ” marks it. Images are counted, their content is not
          compared. The first divergence is the first call that only one of the two makes there.
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

function MissingTrace({ page: { a, b, reading } }: { page: BesidePage }) {
  const missing = [
    { letter: "A", side: a, source: reading.sources.a },
    { letter: "B", side: b, source: reading.sources.b },
  ].filter(({ source }) => source.nSteps === null || source.nSteps === 0);
  return missing.map(({ letter, side, source }) => (
    <p key={letter} className="step-note beside-missing" role="status">
      {letter} has no steps: {describeMissing(side, source)}{" "}
      <Link href={openTrialHref(side.at)}>Its page</Link> says what was looked at.
    </p>
  ));
}

function describeMissing(
  { trial }: BesideTrial,
  { nSteps, issues }: BesidePage["reading"]["sources"]["a"],
): string {
  const issue = issues.find(({ path }) => /trajectory[^/]*$/.test(path));
  if (issue !== undefined) return `${issue.path} cannot be read. ${issue.detail}`;
  if (nSteps === 0) return "its trajectory is empty.";
  if (trial.ledger !== null) return "a ledger keeps agents’ work in separate files.";
  if (trial.folder === "") return "it has no folder.";
  if (trial.state === "running")
    return "it is still running, and most agents write their trajectory at the end.";
  return "no file of its folder is a trajectory or log that Assay can read.";
}

function NoSteps({ page }: { page: BesidePage }) {
  return (
    <Notice title="Neither trial has a trajectory">
      <MissingTrace page={page} />
    </Notice>
  );
}
