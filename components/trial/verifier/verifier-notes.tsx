import { FileCheck } from "lucide-react";

import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { SuspectMark } from "@/components/ui/suspect-mark";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import type { TestTally } from "@/lib/core/domain/tally-tests";
import { EMPTY_DIGEST, tellsCancelled } from "@/lib/core/domain/verifier-check";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import {
  capitalise,
  describeSuspicion,
  formatTextSource,
  NONDETERMINISTIC_WORDS,
  SUSPECT_WORDS,
} from "@/lib/core/format/words";
import { partHref } from "@/lib/pages/job/address";
import { logLink, openTrialHref, trialPageHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { AsideSection, LogPlaceLink } from "../trial-parts";
import { shortTestName } from "./tests-panel";

export function VerifierDoubts({ page }: { page: TrialPage }) {
  return (
    <>
      <SuspicionNote page={page} />
      <DisagreementNote page={page} />
    </>
  );
}

function SuspicionNote({ page }: { page: TrialPage }) {
  const { checks } = page;
  if (checks.suspicion === null) return null;
  const { traceback, lacksDetails } = checks.suspicion;
  return (
    <AsideSection title={capitalise(SUSPECT_WORDS.full)}>
      {traceback === null ? null : (
        <p>
          <LogPlaceLink page={page} place={traceback} />{" "}
          {tellsCancelled(traceback)
            ? "says that the verifier was cancelled before it ended."
            : "ends with a traceback of the verifier itself, and no test run finished after it."}
        </p>
      )}
      {lacksDetails ? <p>{describeMissing(checks.siblings)}</p> : null}
      <p className="caption">The reward is as recorded. Scripts often write 0 before their verifier ends.</p>
    </AsideSection>
  );
}

function describeMissing(siblings: TrialPage["checks"]["siblings"]): string {
  if (siblings === null) return "It left no details, unlike other trials of this task.";
  const { nOthers, nWithDetails, nZero, nZeroWithDetails, nElsewhere } = siblings;
  const zero =
    nZero === 0
      ? ""
      : ` Of those with a reward of 0, ${formatCount(nZeroWithDetails)} of ${formatCount(nZero)} have some.`;
  const elsewhere =
    nElsewhere === 0
      ? ""
      : ` ${formatPlural(nElsewhere, "trial")} of the task in other jobs also have details.`;
  return `It left no details, which ${formatCount(nWithDetails)} of the ${formatPlural(nOthers, "other trial")} of this task in the job have.${zero}${elsewhere}`;
}

function DisagreementNote({ page: { job, trial, checks } }: { page: TrialPage }) {
  if (checks.disagreement === null) return null;
  const { trials, nTrials, digest } = checks.disagreement;
  const others = trials.filter(({ jobKey, key }) => jobKey !== job.key || key !== trial.key);
  const nMore = nTrials - 1 - others.length;
  return (
    <AsideSection
      title={capitalise(NONDETERMINISTIC_WORDS)}
      note={<Link href={partHref(job.key, "determinism")}>All outputs of this job</Link>}
    >
      <p>
        The same output, <code title={digest}>{digest === EMPTY_DIGEST ? "empty" : digest.slice(0, 10)}</code>
        , got other rewards in other trials of this task:
      </p>
      <ul>
        {others.map((other) => (
          <li key={`${other.jobKey} ${other.key}`}>
            <b className="mono">{writeRewards(other.rewards)}</b>
            <Link href={trialPageHref(other.jobKey, other.key)}>
              {other.agent}, attempt {other.attempt}
              {other.jobKey === job.key ? "" : ` in ${other.jobName}`}
            </Link>
          </li>
        ))}
      </ul>
      {nMore > 0 ? <p className="caption">and {formatPlural(nMore, "more trial")}</p> : null}
      {trials.some(({ outputPath }) => !outputPath.includes("/")) ? (
        <p className="caption">Only collected artifacts were compared; the verifier may have read more.</p>
      ) : null}
    </AsideSection>
  );
}

function writeRewards(rewards: readonly (readonly [key: string, text: string])[]): string {
  return rewards.map(([key, text]) => (rewards.length === 1 ? text : `${key} ${text}`)).join(", ");
}

const NAMED_FAILURES = 6;

export function VerifierRow({ page }: { page: TrialPage }) {
  const { at, trial, tests, testTally, rewards, checks, hidden } = page;
  if (hidden.includes("verifier")) return null;
  const { suspicion } = checks;
  const log = suspicion?.traceback ?? { file: "verifier/test-stdout.txt", line: null };
  const durationMs = computeDurationMs(trial.phases.verifier);
  if (durationMs === null && tests.length === 0 && rewards.length === 0) return null;
  const cases = tests.filter(({ isCounted }) => isCounted).flatMap((report) => report.tests);
  const failed = cases.filter(({ status }) => status === "failed");
  const nFailed = testTally === null ? 0 : testTally.nFailed;
  return (
    <li className="step step-verifier">
      <div className="row step-head">
        <span className="step-number" />
        <FileCheck size={16} strokeWidth={1.5} aria-hidden className="step-icon" />
        <b className="cut">verifier</b>
        <code className="cut grow">{tests[0]?.tool ?? ""}</code>
        {nFailed === 0 || nFailed === null ? null : (
          <span className="status-word step-mark step-mark-failed">
            <Mark status="failed" />
            {nFailed} failed
          </span>
        )}
        {suspicion === null ? null : <SuspectMark reason={describeSuspicion(suspicion)} isFull />}
        <Link
          className="nowrap"
          href={openTrialHref(at, log.line === null ? { tab: "log", file: log.file } : logLink(log))}
          mode="stay"
        >
          Log
        </Link>
        <span className="step-duration">{formatDuration(durationMs)}</span>
      </div>
      <pre className="step-pre" tabIndex={0}>
        {describeResult(
          page,
          failed.slice(0, NAMED_FAILURES).map(({ name }) => shortTestName(name)),
        )}
      </pre>
    </li>
  );
}

function describeResult(
  { rewards, trial, rewardFigure, testTally }: TrialPage,
  named: readonly string[],
): string {
  const tests = testTally === null || testTally.nTests === 0 ? [] : [describeTests(testTally, named)];
  // The texts are from result.json, and are the file's only if both are equal.
  const isSame = rewardFigure?.verdict === "exact" && trial.rewardFile.kind === "read";
  const file = isSame ? trial.rewardFile.file : "result.json";
  const texts = writeRewards(rewards.map(({ key, text }) => [key, text]));
  return [...tests, `${file}: ${texts || "no reward"}`].join("\n");
}

function describeTests({ nTests, nFailed, textFiles }: TestTally, named: readonly string[]): string {
  const source = formatTextSource(textFiles);
  const from = source === null ? "" : `, ${source}`;
  if (nTests === null || nFailed === null)
    return `tests without totals${from}${named.length === 0 ? "" : `: ${named.join(", ")} failed`}`;
  const more = nFailed > named.length ? ` and ${nFailed - named.length} more` : "";
  const names = named.length === 0 ? "" : `: ${named.join(", ")}${more}`;
  return `${formatPlural(nTests, "test")}, ${nFailed} failed${from}${names}`;
}
