import { EvidenceLinks } from "@/components/annotations/evidence";
import { CopyButton } from "@/components/ui/copy-button";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Preformatted } from "@/components/ui/preformatted";
import type { BreakdownDimension, ValidityGate } from "@/lib/core/domain/breakdown";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { ScanPlace } from "@/lib/core/domain/scanner";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { capitalise, shorten } from "@/lib/core/format/words";
import { loadReportHref } from "@/lib/pages/load-report/address";
import { openTrialHref, stepHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { CauseSection } from "./cause";
import { ExceptionSections, LineageSection, NoTrajectory } from "./trial-notes";
import { AsideSection, ListPager, LogPlaceLink, ShowAllOf, type ShownTrial, Tag } from "./trial-parts";
import { DimensionList } from "./verifier/dimension-list";
import { EvaluationPanel } from "./verifier/evaluation-panel";
import { AnalysisSection, ReportSection, ResultSection, RubricSection } from "./verifier/result-section";
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
      <Preformatted className="prose instruction-text" tabIndex={0}>
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

const MOST_TAGS = 30;
const MOST_EVIDENCE = 10;
const DESCRIPTION_CHARS = 2_000;
const QUOTE_CHARS = 200;

function ImportedTags({ page }: { page: ShownTrial }) {
  const { at, answers } = page;
  if (answers === null || answers.imported.length === 0) return null;
  const shown = answers.imported.slice(0, MOST_TAGS);
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
            {description === null ? null : (
              <p className="caption">{shorten(description, DESCRIPTION_CHARS)}</p>
            )}
            <EvidenceLinks
              evidence={evidence.slice(0, MOST_EVIDENCE).filter((piece) => typeof piece !== "string")}
              at={at}
            />
            {evidence.slice(0, MOST_EVIDENCE).map((piece, place) =>
              typeof piece === "string" ? (
                <p key={place} className="caption">
                  <q>{shorten(piece, QUOTE_CHARS)}</q>
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

function ValiditySection({ page }: { page: TrialPage }) {
  const { gates } = page.evaluation;
  const doubted = gates.find((gate) => isDoubted(page, gate));
  return (
    <AsideSection title="Validity">
      <ul className="aside-list">
        {gates.map((gate) => (
          <GateLine key={gate.name} gate={gate} isDoubted={gate === doubted} />
        ))}
      </ul>
      {doubted === undefined ? null : (
        <p className="caption">
          <Doubt page={page} gate={doubted} />
        </p>
      )}
    </AsideSection>
  );
}

/** True if a log or the failure class contradicts a gate that the evaluation contract calls met. */
function isDoubted({ failure }: TrialPage, { name, met, doubt }: ValidityGate): boolean {
  const isOfClass = name === "verifier_completed" && failure?.failureClass === "verifier";
  return met === true && (doubt !== null || isOfClass);
}

function GateLine({ gate, isDoubted: isInDoubt }: { gate: ValidityGate; isDoubted: boolean }) {
  const { name, met, basis } = gate;
  const word = isInDoubt ? "in doubt" : met === null ? "unknown" : met ? "yes" : "no";
  return (
    <li>
      <Mark status={met === null || isInDoubt ? "unscored" : met ? "passed" : "failed"} />
      <span className="nowrap">{capitalise(name.replaceAll("_", " "))}</span>
      <span className="muted grow">{basis}</span>
      <span className={word === "yes" || word === "unknown" ? "muted" : ""}>{word}</span>
    </li>
  );
}

function Doubt({ page, gate: { doubt } }: { page: TrialPage; gate: ValidityGate }) {
  if (doubt === null) return <>There is a reward, but: {page.failure?.why}</>;
  return (
    <>
      There is a reward, but {doubt.says}: <LogPlaceLink page={page} place={doubt.place} />
    </>
  );
}

const MOST_PLACES = 5;
const MOST_RESULTS = 30;

function ScanSection({ page }: { page: ShownTrial }) {
  const { scans, trial } = page;
  if (trial.folder === "" || scans.extent === "none") return null;
  const { extent, results } = scans;
  return (
    <AsideSection title="Scanners" note="found by rules" id="scanners">
      {results.length > 0 ? (
        <ul className="tags">
          {results.slice(0, MOST_RESULTS).map(({ scanner, version, info, nPlaces, places, stopped }) => (
            <Tag
              key={scanner}
              page={page}
              name={info.title}
              source={`${info.severity} severity`}
              title={info.meaning}
              suggestion={
                nPlaces === 0
                  ? null
                  : { suggester: nameSuggester("scanner", scanner), version: String(version) }
              }
            >
              <ul className="scan-places">
                {places.slice(0, MOST_PLACES).map((place, nth) => (
                  <li key={nth}>
                    <PlaceLink place={place} page={page} />
                  </li>
                ))}
              </ul>
              {nPlaces <= MOST_PLACES ? null : (
                <p className="caption">
                  {MOST_PLACES} of {formatCount(nPlaces)} places shown.
                </p>
              )}
              {stopped === null ? null : (
                <p className="caption">Stopped early, so there may be more. {stopped}</p>
              )}
            </Tag>
          ))}
        </ul>
      ) : (
        <p className="caption">
          {extent === null
            ? "This trial has not been scanned yet."
            : `Nothing found${extent === "files" ? " in its files; it has no trajectory" : ""}.`}
        </p>
      )}
      {results.length <= MOST_RESULTS ? null : (
        <p className="caption">
          {MOST_RESULTS} of {formatPlural(results.length, "scanner")} shown.
        </p>
      )}
    </AsideSection>
  );
}

function PlaceLink({ place, page: { at, search } }: { place: ScanPlace; page: ShownTrial }) {
  const { step, file, line, match, after } = place;
  const quote = `${match}${after}`.trim();
  return (
    <>
      {step === null ? (
        <Link href={openTrialHref(at, { tab: "files", file, line })} mode="stay" title={file}>
          {file.split("/").at(-1)}
          {line === null ? null : `:${String(line)}`}
        </Link>
      ) : (
        <Link href={stepHref(at, search, { source: null, step })} mode="stay">
          step {step}
        </Link>
      )}{" "}
      {quote === "" ? null : (
        <code className="cut" title={`${place.before}${match}${after}`}>
          {quote}
        </code>
      )}
    </>
  );
}
