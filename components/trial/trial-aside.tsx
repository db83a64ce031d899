import type { ReactNode } from "react";

import { EvidenceLinks } from "@/components/annotations/evidence-list";
import { CopyButton } from "@/components/ui/copy-button";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Preformatted } from "@/components/ui/preformatted";
import type { BreakdownDimension } from "@/lib/core/domain/breakdown";
import type { TagEvidence } from "@/lib/core/domain/imported-tag";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { countPageBytes, fitPage, takeFitting } from "@/lib/core/domain/page-bytes";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { describePart, PART_SIZES, takePart } from "@/lib/core/domain/trial-lists";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { TrialAnswers } from "@/lib/pages/annotations/suggestions";
import { loadReportHref } from "@/lib/pages/load-report/address";
import { openTrialHref, stepHref, type TrialParams } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { ScanSection } from "./scan-section";
import { SuggestionAnswers } from "./suggestion-answer";
import { AsideSection, ListPager, type TrialAt, ShowAllOf } from "./trial-parts";
import { ValiditySection } from "./validity-section";

import "./verifier/verifier.css";
import { DimensionList, listKeysShown } from "./verifier/dimension-list";
import { AnalysisSection, ReportSection } from "./verifier/report-section";
import { RubricSection } from "./verifier/rubric-section";
import { TestSection } from "./verifier/test-section";

function statesWeight({ weight, children }: BreakdownDimension): boolean {
  return weight !== null || children.some(statesWeight);
}

export function TrialAside({
  page,
  search,
  answers,
  children,
}: {
  page: TrialPage;
  search: TrialParams;
  answers: TrialAnswers | null;
  children: ReactNode;
}) {
  const { sources, parts } = page;
  const at = { page, search };
  return (
    <div className="trial-aside">
      <InstructionSection page={page} search={search} />
      {page.analysis === null ? null : (
        <AnalysisSection
          analysis={page.analysis}
          title="Analysis"
          note="from analysis.json"
          id="checks"
          at={at}
        >
          <ShowAllOf page={page} file="analysis.json" />
        </AnalysisSection>
      )}
      {page.reports.rows.map((report, nth) => (
        <ReportSection
          key={nth}
          report={report}
          id={page.analysis === null && nth === 0 ? "checks" : undefined}
          at={at}
          answers={answers}
        />
      ))}
      {page.reports.nOlder === 0 ? null : (
        <p className="caption">{formatPlural(page.reports.nOlder, "older report")} not shown.</p>
      )}
      <RewardSection at={at} />
      <TestSection page={page} />
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
          <ListPager at={at} list="dimensions" part={parts.dimensions} />
        </AsideSection>
      )}
      <RubricSection at={at} />
      <TagSection at={at} answers={answers} />
      <ImportedTags at={at} answers={answers} />
      <ScanSection at={at} answers={answers} />
      {children}
      {page.trial.folder === "" || page.hidden.includes("verifier") ? null : <ValiditySection page={page} />}
      {page.issues.length === 0 ? null : <IssueSection page={page} />}
    </div>
  );
}

/** Folded: the first line is enough for readers who know the task. */
function InstructionSection({ page: { at, trajectory }, search }: TrialAt) {
  const { instruction } = trajectory;
  if (instruction === null) return null;
  const { key, text, isCut } = instruction;
  return (
    <details className="aside-section instruction">
      <summary>
        <b>Instruction</b> <span className="muted cut">{text.slice(0, MAX_FIRST_CHARS).toWellFormed()}</span>
      </summary>
      <Preformatted className="instruction-text" tabIndex={0}>
        {text}
      </Preformatted>
      <p className="caption">
        {isCut ? "Cut. " : null}The first message of a user, from{" "}
        <Link href={stepHref(at, search, { step: key })} mode="stay">
          step {key}
        </Link>
      </p>
    </details>
  );
}

const MAX_FIRST_CHARS = 120;

function RewardSection({ at }: { at: TrialAt }) {
  const { headline, recordFile } = at.page;
  const from = at.search.keys;
  const keysShown = listKeysShown(at.page, at.page.sources);
  const rewards = at.page.rewards.filter(({ key }) => !keysShown.has(key));
  if (rewards.every(({ key }) => key === headline?.key)) return null;
  const shown = takePart(rewards, from, PART_SIZES.keys);
  return (
    <AsideSection title="Rewards" note={formatPlural(rewards.length, "key")} id="keys">
      <ul className="aside-list">
        {shown.map(({ key, text }) => (
          <li key={key}>
            <span className="cut grow" title={key}>
              {key === headline?.key ? <b>{key}</b> : key}
            </span>
            <span className="mono">{text}</span>
          </li>
        ))}
      </ul>
      <ListPager at={at} list="keys" part={describePart(rewards.length, from, shown.length)} />
      <ShowAllOf page={at.page} file={recordFile} />
    </AsideSection>
  );
}

function TagSection({ at, answers }: { at: TrialAt; answers: TrialAnswers | null }) {
  const { errorTags, cutTagFiles, parts } = at.page;
  if (errorTags.length === 0) return null;
  return (
    <AsideSection title="Error tags" note={formatCount(parts.tags.total)} id="tags">
      <ul className="tags">
        {errorTags.map((tag, nth) => (
          <li key={nth}>
            <span className="row tag-head">
              {tag.category}
              <span className="caption">{tag.source}</span>
            </span>
            {tag.description === null ? null : <p className="caption">{tag.description}</p>}
            {tag.source === "human" ? null : (
              <SuggestionAnswers
                of={answers}
                suggestion={{
                  suggester: nameSuggester(tag.source === "judge" ? "judge" : "verifier", tag.category),
                  version: "",
                }}
                label={tag.category}
              />
            )}
          </li>
        ))}
      </ul>
      <ListPager at={at} list="tags" part={parts.tags} />
      {cutTagFiles.map((file) => (
        <ShowAllOf key={file} page={at.page} file={file} />
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

type Tag = TrialAnswers["imported"][number];

function ImportedTags({ at, answers }: { at: TrialAt; answers: TrialAnswers | null }) {
  if (answers === null || answers.imported.length === 0) return null;
  const shown = takeFitting(answers.imported.map(shorten), MAX_BYTES, countBytes);
  return (
    <AsideSection title="Imported tags" note="by other tools" id="imported">
      <ul className="tags">
        {shown.map(({ source, category, description, evidence }, nth) => (
          <li key={nth}>
            <span className="row tag-head">
              {category}
              <span className="caption">{source}</span>
            </span>
            {description === null ? null : <p className="caption">{description}</p>}
            <EvidenceLinks evidence={evidence.filter((piece) => typeof piece !== "string")} at={at.page.at} />
            {evidence.map((piece, place) =>
              typeof piece === "string" ? (
                <p key={place} className="caption">
                  <q>{piece}</q>
                </p>
              ) : null,
            )}
            <SuggestionAnswers
              of={answers}
              suggestion={{ suggester: nameSuggester("import", source), version: category }}
              label={`${category}, says ${source}`}
            />
          </li>
        ))}
      </ul>
      <CutNote shown={shown.length} total={answers.imported.length}>
        An export of the annotations has all of them.
      </CutNote>
    </AsideSection>
  );
}

function shorten({ description, evidence, ...tag }: Tag): Tag {
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

function countBytes({ source, category, description, evidence }: Tag): number {
  const texts = [source, category, category, description ?? "", JSON.stringify(evidence)];
  return TAG_BYTES + texts.reduce((sum, text) => sum + 2 * countPageBytes(text), 0);
}
