import { EqualNot } from "lucide-react";

import { JUDGMENT_MARKS } from "@/components/annotations/judgment-words";
import { Check } from "@/components/ui/check";
import { Mark, StatusWord } from "@/components/ui/mark";
import type { TestTally } from "@/lib/core/domain/tally-tests";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import { describePart, PART_SIZES, takePart } from "@/lib/core/domain/trial-lists";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatTextSource, formatVerdict } from "@/lib/core/format/words";
import type { TrialPage } from "@/lib/pages/trial/page";

import { AsideSection, ListPager, ShowAllOf, type ShownTrial } from "../trial-parts";
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
