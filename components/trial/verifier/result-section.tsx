import { EqualNot } from "lucide-react";
import type { ReactNode } from "react";

import { JUDGMENT_MARKS } from "@/components/annotations/judgment-words";
import { FIT_WORDS, ROLLUP_WORDS, formatChange } from "@/components/job/rubric/tried-rubric";
import { TriedRubric, USUAL_RUBRIC, describeWeights } from "@/components/job/rubric/tried-rubric";
import { Check } from "@/components/ui/check";
import { Link } from "@/components/ui/link";
import { Mark, StatusWord } from "@/components/ui/mark";
import { ShowAll } from "@/components/ui/show-all";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import type { TestTally } from "@/lib/core/domain/tally-tests";
import { STEP_WORDS } from "@/lib/core/domain/trajectory";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { TrialAnalysis } from "@/lib/core/domain/trial-file";
import { PART_SIZES, describePart, takePart } from "@/lib/core/domain/trial-lists";
import { MISSING, formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { formatTextSource, formatVerdict } from "@/lib/core/format/words";
import { jobHref, trialHref } from "@/lib/pages/address/href";
import { jobPageHref } from "@/lib/pages/job/address";
import { artifactHref, openTrialHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import type { ReportRow } from "@/lib/store/tables";

import { AsideSection, ListPager, ShowAllOf, type ShownTrial, Tag } from "../trial-parts";
import { listKeysShown } from "./dimension-list";

export function ResultSection({ page }: { page: ShownTrial }) {
  const { trial, hidden, rewards } = page;
  if (hidden.includes("verifier")) return null;
  const words = describeVerdict(page);
  return (
    <AsideSection
      title="Result"
      id="keys"
      note={rewards.length < 2 ? undefined : formatPlural(rewards.length, "reward key")}
    >
      <div className="flow result-line">
        <StatusWord status={trial.outcome} />
        <RewardCheck page={page} />
        <Judgments page={page} />
      </div>
      {words === "" ? null : <p className="muted">{words}</p>}
      <RewardKeys page={page} />
    </AsideSection>
  );
}

function RewardKeys({ page }: { page: ShownTrial }) {
  const { headline, recordFile, trial, search } = page;
  const keysShown = listKeysShown(page, page.sources);
  const rewards = page.rewards.filter(({ key }) => key === headline?.key || !keysShown.has(key));
  const shown = takePart(rewards, search.keys, PART_SIZES.keys);
  if (trial.rewardsProblem !== null) return <p>{trial.rewardsProblem}</p>;
  if (page.rewards.length === 0)
    return <p className="muted">{trial.rewards === null ? "no reward" : "no reward keys"}</p>;
  return (
    <>
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
      <ListPager page={page} list="keys" part={describePart(rewards.length, search.keys, shown.length)} />
      <ShowAllOf page={page} file={recordFile} />
    </>
  );
}

export function RewardCheck({ page }: { page: TrialPage }) {
  const { rewardFigure, trial } = page;
  if (rewardFigure === null) return null;
  const file = trial.rewardFile.kind === "absent" ? null : trial.rewardFile.file;
  const word = formatVerdict(rewardFigure.verdict, rewardFigure.ulps);
  if (rewardFigure.verdict === "exact") {
    return <Check verdict="exact" words={file === null ? word : `${word}, from ${file}`} />;
  }
  const both =
    rewardFigure.verdict === "mismatch"
      ? `${word}: ${rewardFigure.recorded ?? "nothing"} in result.json, ${rewardFigure.recomputed ?? "nothing"} in ${file ?? "the reward file"}`
      : `${word}${rewardFigure.reason === null ? "" : `: ${rewardFigure.reason}`}`;
  return <Check verdict={rewardFigure.verdict} words={both} ulps={rewardFigure.ulps} />;
}

export function Judgments({ page: { judgments } }: { page: TrialPage }) {
  if (judgments === null) return null;
  const count = formatPlural(judgments.latest.length, "reviewer");
  return (
    <span className="status-word">
      {judgments.disagrees ? <EqualNot size={14} aria-hidden /> : null}
      {judgments.judgment === "mixed" ? null : <Mark status={JUDGMENT_MARKS[judgments.judgment]} />}
      <span>
        {judgments.isDecided
          ? `Decided: ${judgments.judgment}, ${count} who differ`
          : `${count}: ${judgments.judgment}`}
        {judgments.disagrees ? ", against the verifier" : ""}
      </span>
    </span>
  );
}

function describeTests(tally: TestTally | null): string[] {
  if (tally === null || tally.nTests === 0) return [];
  const { nTests, nPassed, textFiles } = tally;
  const totals =
    nTests === null || nPassed === null
      ? "tests without totals"
      : `${formatCount(nPassed)} of ${formatPlural(nTests, "test")} passed`;
  const source = formatTextSource(textFiles);
  return [`Verifier: ${totals}${source === null ? "" : `, ${source}`}.`];
}

/** Returns an empty text if outcome and reward say everything. */
export function describeVerdict(page: TrialPage): string {
  const { trial, job } = page;
  const isSince26 = job.scoringRule === "harbor-0.26";
  const sentences: string[] = describeTests(page.testTally);
  if (trial.steps !== null) {
    const verified = trial.steps.filter(({ hasVerifierResult }) => hasVerifierResult).length;
    sentences.push(`${verified} of ${formatPlural(trial.steps.length, "step")} verified.`);
  }
  const failure = selectFailure(trial);
  if (failure !== null) {
    const { exception, stepName } = failure;
    if (trial.outcome === "invalid")
      sentences.push(
        `Harbor excluded this reward from every figure: it is invalid after ${page.disqualifying.join(" or ")}.`,
      );
    else if (stepName !== null)
      sentences.push(
        `Step ${stepName} raised ${exception.type}${isSince26 ? "" : "; Harbor counts no error for the trial"}.`,
      );
    else if (trial.rewards !== null) sentences.push(`It was scored although ${exception.type} was raised.`);
  }
  if (trial.rewards === null && trial.state === "finished")
    sentences.push(
      `No reward was recorded. ${isSince26 ? "The trial is excluded from the score" : "Harbor counts it as 0 in the score"}.`,
    );
  if (page.checks.state === "reading")
    sentences.push("Its files are being read for signs of a verifier crash.");
  const state = (trial.ledger === null ? STATE_SENTENCES : RECORD_SENTENCES)[trial.state];
  return [...sentences, ...(state === null ? [] : [state])].join(" ");
}

const RECORD_SENTENCES = {
  finished: null,
  running: "Its record says that it is still running, without a result yet.",
  missing: "Its record says that it is still running, but nothing was written for a long time.",
  unreadable: "Its record cannot be read; see the load issues.",
} as const;

const STATE_SENTENCES = {
  finished: null,
  running: "The job is still running; this trial has no result yet.",
  missing: "The job ended and this trial left no result.",
  unreadable: "Its result.json cannot be read; see the load issues.",
} as const;

export function RubricSection({ page }: { page: ShownTrial }) {
  const { rubric, search } = page;
  if (rubric === null) return null;
  const [jobKey, trialKey] = [page.job.key, page.trial.key];
  const { fit, rollup, isChanged, stored, recomputed, change } = rubric;
  const inJob = jobPageHref(jobKey, {
    tab: "rubric",
    family: rubric.family,
    rollup: search.rollup,
    weights: search.weights,
  });
  const lines = [
    ["Stored reward", stored ?? MISSING],
    [`Recomputed as ${ROLLUP_WORDS[rollup]}`, formatReward(recomputed, 4)],
    ["Change", change === null ? MISSING : formatChange(change)],
  ] as const;
  return (
    <AsideSection title="Rubric" note={`reward ${FIT_WORDS[fit]}`}>
      <ul className="aside-list">
        {lines.map(([name, text]) => (
          <li key={name}>
            <span className="grow">{name}</span>
            <span className="mono">{text}</span>
          </li>
        ))}
      </ul>
      <details open={isChanged}>
        <summary className="caption">Try other weights</summary>
        <TriedRubric
          tried={rubric}
          action={trialHref(jobKey, trialKey)}
          usualHref={openTrialHref(page.at, { ...search, ...USUAL_RUBRIC })}
        />
        <p className="caption">{describeWeights(rubric)} Nothing is saved: the weights are in the URL.</p>
      </details>
      <Link className="aside-more" href={inJob}>
        {isChanged ? "This rubric for all trials of the family" : "All trials of the family"}
      </Link>
    </AsideSection>
  );
}

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
