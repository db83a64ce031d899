import type { ReactNode } from "react";

import { artifactHref } from "@/app/jobs/[job]/trials/[trial]/search-params";
import { Mark } from "@/components/ui/mark";
import { ShowAll } from "@/components/ui/show-all";
import { SoftLink } from "@/components/ui/soft-link";
import type { TrialAnalysis } from "@/lib/domain/trial-file";
import { jobHref } from "@/lib/format/href";
import type { TrialReport } from "@/lib/queries/trial-page-reports";

import { AsideSection } from "./aside-section";

const CHECK_MARKS = { pass: "passed", fail: "failed", not_applicable: "unscored", other: "missing" } as const;

/** What another job says of the trial or its task. */
export function ReportSection({ report }: { report: TrialReport }) {
  const { purpose, jobKey, jobName, error, analysis, isCut, file } = report;
  const all = isCut ? <ShowAll href={artifactHref(jobKey, null, file)} file={file} /> : null;
  const title = purpose === "analysis" ? "Analysis" : "Task check";
  const note = (
    <>
      by job <SoftLink href={jobHref(jobKey)}>{jobName}</SoftLink>
      {purpose === "check" ? ", for a task of this name" : null}
    </>
  );
  if (error === null)
    return (
      <AnalysisSection analysis={analysis} title={title} note={note}>
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

/** A report of one trial or task; `children` stand below it. */
export function AnalysisSection({
  analysis,
  title,
  note,
  children,
}: {
  analysis: TrialAnalysis;
  title: string;
  note: ReactNode;
  children: ReactNode;
}) {
  return (
    <AsideSection title={title} note={note}>
      <ul className="aside-list">
        {analysis.checks.map((check) => (
          <li key={check.name} title={check.explanation ?? undefined}>
            <Mark status={CHECK_MARKS[check.outcome]} />
            <span className="cut grow">{check.name.replaceAll("_", " ")}</span>
            <span className="muted">{check.outcome.replaceAll("_", " ")}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary className="caption">Summary and reasons</summary>
        <div className="caption tag-summary">
          {analysis.summary === null ? null : <p>{analysis.summary}</p>}
          {analysis.checks.map(({ name, explanation }) =>
            explanation === null ? null : (
              <p key={name}>
                <b>{name.replaceAll("_", " ")}</b>: {explanation}
              </p>
            ),
          )}
        </div>
      </details>
      {children}
    </AsideSection>
  );
}
