import type { ReactNode } from "react";

import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { ShowAll } from "@/components/ui/show-all";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import type { ErrorTag } from "@/lib/core/domain/trial";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";
import { describePart } from "@/lib/core/domain/trial-lists";
import { jobHref } from "@/lib/pages/address/href";
import type { TrialAnswers } from "@/lib/pages/annotations/suggestions";
import { artifactHref, openTrialHref, type OpenTrial } from "@/lib/pages/trial/address";
import type { ReportRow } from "@/lib/store/tables";

import { SuggestionAnswers } from "../suggestion-answer";
import { AsideSection, ListPager, type TrialAt } from "../trial-parts";

const CHECK_MARKS = { pass: "passed", fail: "failed", not_applicable: "unscored", other: "missing" } as const;

export function ReportSection({
  report,
  id,
  at,
  answers,
}: {
  report: ReportRow;
  id: string | undefined;
  at: TrialAt;
  answers: TrialAnswers | null;
}) {
  const { purpose, jobKey, jobName, error, analysis, isCut, file } = report;
  const all = isCut ? <ShowAll href={artifactHref(jobKey, null, file)} file={file} /> : null;
  const title = purpose === "analysis" ? "Analysis" : "Task check";
  const note = (
    <>
      by job <Link href={jobHref(jobKey)}>{jobName}</Link>
      {purpose === "check" ? ", for a task of this name" : null}
    </>
  );
  if (error === null)
    return (
      <AnalysisSection analysis={analysis} title={title} note={note} id={id} at={at}>
        {purpose === "analysis" ? (
          <FailedChecks analysis={analysis} tags={at.page.errorTags} answers={answers} />
        ) : null}
        {all}
      </AnalysisSection>
    );
  return (
    <AsideSection title={title} note={note}>
      <p className="caption">Nothing was reported.</p>
      <details>
        <summary className="caption">Why</summary>
        <p className="caption tag-summary">{error}</p>
      </details>
      {all}
    </AsideSection>
  );
}

function FailedChecks({
  analysis,
  tags,
  answers,
}: {
  analysis: TrialAnalysis;
  tags: readonly ErrorTag[];
  answers: TrialAnswers | null;
}) {
  const own = new Set(tags.flatMap(({ category, source }) => (source === "judge" ? category : [])));
  const failed = analysis.checks.filter(({ name, outcome }) => outcome === "fail" && !own.has(name.trim()));
  if (answers === null || failed.length === 0) return null;
  return (
    <ul className="tags">
      {failed.map(({ name }) => (
        <li key={name}>
          <span className="row tag-head">
            {name.trim()}
            <span className="caption">judge</span>
          </span>
          <SuggestionAnswers
            of={answers}
            suggestion={{ suggester: nameSuggester("judge", name.trim()), version: "" }}
            label={name.trim()}
          />
        </li>
      ))}
    </ul>
  );
}

export function AnalysisSection({
  analysis,
  title,
  note,
  id,
  at,
  children,
}: {
  analysis: TrialAnalysis;
  title: string;
  note: ReactNode;
  id: string | undefined;
  at: TrialAt;
  children: ReactNode;
}) {
  const part = describePart(analysis.nChecks, at.search.checks, analysis.checks.length);
  return (
    <AsideSection title={title} note={note} id={id}>
      {analysis.summary === null ? null : (
        <p className="analysis-summary">
          <LinkedSteps text={analysis.summary} at={at.page.at} nSteps={at.page.trajectory.nAll} />
        </p>
      )}
      <ul className="aside-list">
        {analysis.checks.map((check) => (
          <li key={check.name} title={check.explanation ?? undefined}>
            <Mark status={CHECK_MARKS[check.outcome]} />
            <span className="cut grow">{check.name.replaceAll("_", " ")}</span>
            <span className="muted">{check.outcome.replaceAll("_", " ")}</span>
          </li>
        ))}
      </ul>
      {analysis.checks.every(({ explanation }) => explanation === null) ? null : (
        <details open={analysis.checks.some(({ outcome }) => outcome === "fail")}>
          <summary className="caption">Reasons</summary>
          <div className="caption tag-summary">
            {analysis.checks.map(({ name, explanation }) =>
              explanation === null ? null : (
                <p key={name}>
                  <b>{name.replaceAll("_", " ")}</b>:{" "}
                  <LinkedSteps text={explanation} at={at.page.at} nSteps={at.page.trajectory.nAll} />
                </p>
              ),
            )}
          </div>
        </details>
      )}
      <ListPager at={at} list="checks" part={part} />
      {children}
    </AsideSection>
  );
}

const STEP = /\b((?:trajectory )?steps? (\d{1,6}))\b/;

function LinkedSteps({ text, at, nSteps }: { text: string; at: OpenTrial; nSteps: number }) {
  // Every third part names a step, and the next one is its number.
  return text.split(STEP).map((part, nth, parts) => {
    if (nth % 3 === 2) return null;
    const step = Number(parts[nth + 1]);
    if (nth % 3 === 0 || step < 1 || step > nSteps) return part;
    return (
      <Link key={nth} href={openTrialHref(at, { step: String(step) })} mode="stay">
        {part}
      </Link>
    );
  });
}
