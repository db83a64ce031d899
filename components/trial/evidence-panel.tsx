import { EvidenceLinks } from "@/components/annotations/evidence";
import { CopyButton } from "@/components/ui/copy-button";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Preformatted } from "@/components/ui/preformatted";
import type { BreakdownDimension } from "@/lib/core/domain/breakdown";
import type { TagEvidence } from "@/lib/core/domain/imported-tag";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { countPageBytes, fitPage, takeFitting } from "@/lib/core/domain/page-bytes";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { TrialAnswers } from "@/lib/pages/annotations/suggestions";
import { loadReportHref } from "@/lib/pages/load-report/address";
import { openTrialHref, stepHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { CauseSection } from "./cause";
import { ScanSection } from "./scan-section";
import { ExceptionSections, LineageSection, NoTrajectory } from "./trial-notes";
import { AsideSection, ListPager, ShowAllOf, type ShownTrial, Tag } from "./trial-parts";
import { ValiditySection } from "./validity-section";
import { DimensionList } from "./verifier/dimension-list";
import { EvaluationPanel } from "./verifier/evaluation-panel";
import { AnalysisSection, ReportSection } from "./verifier/report-section";
import { ResultSection } from "./verifier/result-section";
import { RubricSection } from "./verifier/rubric-section";
import { VerifierDoubts } from "./verifier/verifier-notes";

import "./verifier/verifier.css";

function statesWeight({ weight, children }: BreakdownDimension): boolean {
  return weight !== null || children.some(statesWeight);
}

/** Evidence that is neither trace nor test, closest to the cause first. */
export function EvidencePanel({ page }: { page: ShownTrial }) {
  const { analysis, reports, sources, parts, hidden } = page;
  return (
    <div className="evidence">
      <NoTrajectory page={page} />
      <CauseSection page={page} />
      <ExceptionSections page={page} />
      <VerifierDoubts page={page} />
      {analysis === null ? null : (
        <AnalysisSection
          page={page}
          analysis={analysis}
          title="Analysis"
          note="from analysis.json"
          id="checks"
        >
          <ShowAllOf page={page} file="analysis.json" />
        </AnalysisSection>
      )}
      {reports.rows.map((report, nth) => (
        <ReportSection
          key={nth}
          page={page}
          report={report}
          id={analysis === null && nth === 0 ? "checks" : undefined}
        />
      ))}
      {reports.nOlder === 0 ? null : (
        <p className="caption">{formatPlural(reports.nOlder, "older report")} not shown.</p>
      )}
      <ResultSection page={page} />
      <LineageSection page={page} />
      {sources.length === 0 ? null : (
        <AsideSection
          title="Dimensions"
          id="dimensions"
          note={
            page.task.others.size > 0
              ? "score, mean of others"
              : sources.some(({ dimensions }) => dimensions.some(statesWeight))
                ? "weight, score"
                : "score"
          }
        >
          {sources.map((source) => (
            <DimensionList key={source.file} page={page} source={source} />
          ))}
          <ListPager page={page} list="dimensions" part={parts.dimensions} />
        </AsideSection>
      )}
      <RubricSection page={page} />
      <TagSection page={page} />
      <ImportedTags page={page} />
      <ScanSection page={page} />
      {page.trial.folder === "" || hidden.includes("verifier") ? null : <ValiditySection page={page} />}
      {page.issues.length === 0 ? null : <IssueSection page={page} />}
      {/* It names the reviewers. */}
      {hidden.length > 0 ? null : <EvaluationPanel shown={page.evaluation} place={page.at} />}
    </div>
  );
}

/** Folded, since many readers know the task. */
export function InstructionSection({ page: { at, trajectory, search } }: { page: ShownTrial }) {
  const { instruction } = trajectory;
  if (instruction === null) return null;
  const { key, text, isCut } = instruction;
  return (
    <details className="instruction">
      <summary>
        <b>Instruction</b>
        <span className="muted clamp">{text.slice(0, MAX_FIRST_CHARS).toWellFormed()}</span>
      </summary>
      <Preformatted className="instruction-text" tabIndex={0}>
        {text}
      </Preformatted>
      <p className="caption">
        {isCut ? "Cut. " : null}The first user message, from{" "}
        <Link href={stepHref(at, search, { step: key })} mode="stay">
          step {key}
        </Link>
      </p>
    </details>
  );
}

const MAX_FIRST_CHARS = 400;

function TagSection({ page }: { page: ShownTrial }) {
  const { errorTags, cutTagFiles, parts } = page;
  if (errorTags.length === 0) return null;
  return (
    <AsideSection title="Error tags" note={formatCount(parts.tags.total)} id="tags">
      <ul className="tags">
        {errorTags.map(({ category, source, description }, nth) => (
          <Tag
            key={nth}
            page={page}
            name={category}
            source={source}
            suggestion={
              source === "human"
                ? null
                : {
                    suggester: nameSuggester(source === "judge" ? "judge" : "verifier", category),
                    version: "",
                  }
            }
          >
            {description === null ? null : <p className="caption">{description}</p>}
          </Tag>
        ))}
      </ul>
      <ListPager page={page} list="tags" part={parts.tags} />
      {cutTagFiles.map((file) => (
        <ShowAllOf key={file} page={page} file={file} />
      ))}
    </AsideSection>
  );
}

function IssueSection({ page: { at, trial, issues } }: { page: TrialPage }) {
  return (
    <AsideSection title="Load issues" note={formatCount(issues.length)}>
      <ul className="tags">
        {issues.slice(0, 20).map((issue, nth) => {
          const file = findFile(issue, trial.folder);
          return (
            <li key={nth}>
              <span className="row tag-head">
                <code>{issue.code}</code>
                <CopyButton text={issue.path} label="Copy path" />
              </span>
              <p className="caption" title={issue.path}>
                {issue.path.split("/").slice(-2).join("/")}: {issue.detail}{" "}
                {file === null ? null : (
                  <Link href={openTrialHref(at, { tab: "files", file: file || null })}>
                    {file === "" ? "See all files" : "See the file"}
                  </Link>
                )}
              </p>
            </li>
          );
        })}
      </ul>
      {issues.length > 20 ? (
        <p className="caption">
          20 of {formatCount(issues.length)}; all are in the{" "}
          <Link href={loadReportHref({ text: trial.folder })}>load report</Link>.
        </p>
      ) : null}
    </AsideSection>
  );
}

/** Returns an issue's file relative to the trial folder; empty for the folder, null if it is not in it. */
function findFile({ path }: LoadIssue, folder: string): string | null {
  if (folder === "") return null;
  if (path.endsWith(`/${folder}`)) return "";
  const at = path.indexOf(`/${folder}/`);
  return at === -1 ? null : path.slice(at + folder.length + 2);
}

/** Bytes of all tags, of a description and of a quote, and of a tag without its texts. */
const MAX_BYTES = 100_000;
const DESCRIPTION_BYTES = 4_000;
const QUOTE_BYTES = 400;
const TAG_BYTES = 2_000;
const MOST_SHOWN = 10;

type Imported = TrialAnswers["imported"][number];

function ImportedTags({ page }: { page: ShownTrial }) {
  const { at, answers } = page;
  if (answers === null || answers.imported.length === 0) return null;
  const shown = takeFitting(answers.imported.map(shorten), MAX_BYTES, countBytes);
  return (
    <AsideSection title="Imported tags" note="by other tools" id="imported">
      <ul className="tags">
        {shown.map(({ source, category, description, evidence }, nth) => (
          <Tag
            key={nth}
            page={page}
            name={category}
            source={source}
            suggestion={{ suggester: nameSuggester("import", source), version: category }}
            label={`${category}, says ${source}`}
          >
            {description === null ? null : <p className="caption">{description}</p>}
            <EvidenceLinks evidence={evidence.filter((piece) => typeof piece !== "string")} at={at} />
            {evidence.map((piece, place) =>
              typeof piece === "string" ? (
                <p key={place} className="caption">
                  <q>{piece}</q>
                </p>
              ) : null,
            )}
          </Tag>
        ))}
      </ul>
      <CutNote shown={shown.length} total={answers.imported.length}>
        Export the annotations to see all.
      </CutNote>
    </AsideSection>
  );
}

function shorten({ description, evidence, ...tag }: Imported): Imported {
  return {
    ...tag,
    description: description === null ? null : cut(description, DESCRIPTION_BYTES),
    evidence: evidence
      .slice(0, MOST_SHOWN)
      .map((piece): TagEvidence => (typeof piece === "string" ? cut(piece, QUOTE_BYTES) : piece)),
  };
}

function cut(text: string, bytes: number): string {
  const fitting = fitPage(text, bytes);
  return fitting.length < text.length ? `${fitting} …` : text;
}

function countBytes({ source, category, description, evidence }: Imported): number {
  const texts = [source, category, category, description ?? "", JSON.stringify(evidence)];
  return TAG_BYTES + texts.reduce((sum, text) => sum + 2 * countPageBytes(text), 0);
}
