import { PlaneFigure } from "@/components/charts/plane-figure";
import { ForAction } from "@/components/shell/account-context";
import { Button } from "@/components/ui/button";
import { ChartMenu } from "@/components/ui/chart-menu";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { formatSaturationCsv, type SaturationChart } from "@/lib/core/charts/saturation-chart";
import { withBasePath } from "@/lib/core/domain/base-path";
import { formatPlural } from "@/lib/core/format/number";
import { NEW_QUEUE_HREF } from "@/lib/pages/annotations/review-address";
import { codebookHref, type CodebookParams, readNewCategory } from "@/lib/pages/codebook/address";
import type { CodebookHead, CodingNote, CodingPage } from "@/lib/pages/codebook/page";

import { AnnotationTime, JudgmentWord } from "../annotations/judgment-words";
import { NewCategoryPanel } from "./category-panel";
import { CodingSwitch } from "./coding-switch";

export function CodingTab({
  page: { saturation, notes },
  head,
  params,
}: {
  page: CodingPage;
  head: CodebookHead;
  params: CodebookParams;
}) {
  const typed = readNewCategory(params);
  return (
    <div className={typed === null ? undefined : "codebook-columns"}>
      <div>
        <ForAction action="changeCodebookAction">
          <CodingSwitch isOn={head.isOpenCoding} />
        </ForAction>
        <Section title="Saturation" note={saturation.kind === "chart" ? saturation.recent : undefined}>
          {saturation.kind === "chart" ? (
            <div data-chart="">
              <ChartMenu name="saturation" csv={formatSaturationCsv(saturation)} />
              <PlaneFigure chart={saturation.plane} height={120} />
              <SaturationTable points={saturation.points} />
            </div>
          ) : (
            <p className="muted">{saturation.reason}</p>
          )}
        </Section>
        <Section title="Notes without a category" note={formatPlural(notes.nMatching, "note")}>
          {notes.rows.length === 0 ? (
            <Notice title="No notes without a category">
              Judgments with a note but no category appear here.
            </Notice>
          ) : (
            <form action={withBasePath(NEW_QUEUE_HREF)} aria-label="Notes without a category">
              <ul className="codebook-notes">
                {notes.rows.map((note) => (
                  <Note key={note.versionId} note={note} />
                ))}
              </ul>
              <ForAction action="makeQueueAction">
                <Button type="submit">Queue these for coding</Button>
              </ForAction>
            </form>
          )}
          <Pager
            page={notes}
            noun="note"
            label="Pages of notes"
            hrefOf={(to) => codebookHref(params, { page: to })}
          />
        </Section>
      </div>
      {typed === null ? null : (
        <ForAction action="changeCodebookAction" subject="Adding a category">
          <NewCategoryPanel label={typed} labels={head.labels} params={params} />
        </ForAction>
      )}
    </div>
  );
}

function SaturationTable({ points }: Pick<SaturationChart, "points">) {
  return (
    <details className="saturation-table">
      <summary>Table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Reviews</th>
            <th scope="col">Different categories</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ review, count }) => (
            <tr key={`${review} ${count}`}>
              <td className="numeric">{review}</td>
              <td className="numeric">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Note({ note }: { note: CodingNote }) {
  const { versionId, judgment, reviewerId, timestamp, taskName, trialName, href } = note;
  return (
    <li>
      <p className="row">
        <input
          type="checkbox"
          name="judgment"
          value={versionId}
          aria-label={`Select the note on ${trialName}`}
        />
        <JudgmentWord judgment={judgment} />
        {href === null ? (
          <span className="cut muted" title={trialName}>
            {taskName}, trial not found
          </span>
        ) : (
          <Link className="cut" href={href} data-row-link="" title={trialName}>
            {taskName}
          </Link>
        )}
        <span className="caption cut grow">
          {reviewerId}, <AnnotationTime timestamp={timestamp} />
        </span>
      </p>
      <p className="codebook-note">
        {note.note}
        {note.isCut ? "…" : null}
      </p>
    </li>
  );
}
