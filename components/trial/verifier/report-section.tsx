import type { ReactNode } from "react";

import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { ShowAll } from "@/components/ui/show-all";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { STEP_WORDS } from "@/lib/core/domain/trajectory";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";
import { describePart } from "@/lib/core/domain/trial-lists";
import { jobHref } from "@/lib/pages/address/href";
import { artifactHref, openTrialHref } from "@/lib/pages/trial/address";
import type { ReportRow } from "@/lib/store/tables";

import { AsideSection, ListPager, type ShownTrial, Tag } from "../trial-parts";

const CHECK_MARKS = { pass: "passed", fail: "failed", not_applicable: "unscored", other: "missing" } as const;

export function ReportSection({
  page,
  report,
  id,
}: {
  page: ShownTrial;
  report: ReportRow;
  id: string | undefined;
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
      <AnalysisSection page={page} analysis={analysis} title={title} note={note} id={id}>
        {purpose === "analysis" ? <FailedChecks page={page} analysis={analysis} /> : null}
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

function FailedChecks({ page, analysis }: { page: ShownTrial; analysis: TrialAnalysis }) {
  const own = new Set(page.errorTags.flatMap(({ category, source }) => (source === "judge" ? category : [])));
  const failed = analysis.checks.filter(({ name, outcome }) => outcome === "fail" && !own.has(name.trim()));
  if (page.answers === null || failed.length === 0) return null;
  return (
    <ul className="tags">
      {failed.map(({ name }) => (
        <Tag
          key={name}
          page={page}
          name={name.trim()}
          source="judge"
          suggestion={{ suggester: nameSuggester("judge", name.trim()), version: "" }}
        />
      ))}
    </ul>
  );
}

export function AnalysisSection({
  page,
  analysis,
  title,
  note,
  id,
  children,
}: {
  page: ShownTrial;
  analysis: TrialAnalysis;
  title: string;
  note: ReactNode;
  id: string | undefined;
  children: ReactNode;
}) {
  const part = describePart(analysis.nChecks, page.search.checks, analysis.checks.length);
  return (
    <AsideSection title={title} note={note} id={id}>
      {analysis.summary === null ? null : (
        <p className="analysis-summary">
          <LinkedSteps text={analysis.summary} page={page} />
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
                  <b>{name.replaceAll("_", " ")}</b>: <LinkedSteps text={explanation} page={page} />
                </p>
              ),
            )}
          </div>
        </details>
      )}
      <ListPager page={page} list="checks" part={part} />
      {children}
    </AsideSection>
  );
}

function LinkedSteps({ text, page: { at, trajectory } }: { text: string; page: ShownTrial }) {
  // Every third part names a step, and the next one is its number.
  return text.split(STEP_WORDS).map((part, nth, parts) => {
    if (nth % 3 === 2) return null;
    const step = Number(parts[nth + 1]);
    if (nth % 3 === 0 || step < 1 || step > trajectory.nAll) return part;
    return (
      <Link key={nth} href={openTrialHref(at, { step: String(step) })} mode="stay">
        {part}
      </Link>
    );
  });
}
