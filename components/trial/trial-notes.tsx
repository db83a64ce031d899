import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { TimeText } from "@/components/ui/time-text";
import { selectExceptionMark } from "@/lib/core/domain/exception-cause";
import { sameTask, type SourceTrial } from "@/lib/core/domain/trial";
import { MISSING } from "@/lib/core/format/number";
import { COPIED_COST_WORDS, FLIP_WORDS, formatTaskVersion } from "@/lib/core/format/words";
import { openTrialHref, trialPageHref, type TrialTab } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { CutText } from "./trajectory/text-lines";
import { AsideSection, ShowAllOf } from "./trial-parts";

export function ExceptionSections({ page }: { page: TrialPage }) {
  return page.exceptions.map(({ type, message, traceback, step, at }, nth) => (
    <AsideSection
      key={nth}
      title={step === null ? "Exception" : `Exception in step ${step}`}
      note={at === null ? undefined : <TimeText time={at} />}
    >
      <p className="row">
        <Mark status={selectExceptionMark(type)} />
        <b>{type}</b>
      </p>
      {message.lines.length === 0 ? (
        <p className="caption">The exception has no message.</p>
      ) : (
        <CutText text={message} className="pre-wrap exception-message" />
      )}
      {traceback === null ? null : (
        <details>
          <summary className="caption">Traceback</summary>
          <CutText text={traceback} className="step-pre" />
        </details>
      )}
      <ShowAllOf page={page} file={page.recordFile} />
    </AsideSection>
  ));
}

type Lineage = TrialPage["lineage"];
type Side = Pick<Lineage["regrades"][number], "outcome" | "rewardText">;

export function LineageSection({ page }: { page: TrialPage }) {
  const { regrade, regrades } = page.lineage;
  const { sourceTrial } = page.trial;
  if (sourceTrial === null && regrades.length === 0) return null;
  return (
    <AsideSection title="Regrade">
      {sourceTrial === null || regrade === null ? null : (
        <SourceLine source={sourceTrial} regrade={regrade} />
      )}
      {regrades.length === 0 ? null : <RegradeLines regrades={regrades} own={page} />}
    </AsideSection>
  );
}

function SourceLine({ source, regrade }: { source: SourceTrial; regrade: NonNullable<Lineage["regrade"]> }) {
  const { source: open, flip } = regrade;
  return (
    <>
      <p className="lineage-head">
        <b>Regraded</b>
        {open === null ? null : (
          <>
            <RewardWord side={open} title="Reward of the source" />
            <span aria-label="to">→</span>
            <RewardWord side={regrade} title="Reward of this regrade" />
            <span className={`lineage-${flip}`}>{FLIP_WORDS[flip]}</span>
          </>
        )}
      </p>
      <p>
        {open === null ? (
          <>The source is {nameSource(source)}, which is not open, so its reward is unknown.</>
        ) : (
          <>
            Same rollout as{" "}
            <Link href={trialPageHref(open.jobKey, open.key)}>
              {open.key} in {open.jobName}
            </Link>
            , verified again{describeVersions(regrade)}.
          </>
        )}{" "}
        <span className="muted">Not run again: {COPIED_COST_WORDS}.</span>
      </p>
    </>
  );
}

function nameSource({ id, jobName, trialName, isFromHub }: SourceTrial): string {
  if (trialName !== null) return jobName === null ? trialName : `${trialName} in ${jobName}`;
  const trial = id === null ? "a trial that its files do not name" : `trial ${id}`;
  return isFromHub ? `${trial} from the Hub` : trial;
}

function describeVersions({ sourceTask, ownTask }: NonNullable<Lineage["regrade"]>): string {
  const [before, after] = [formatTaskVersion(sourceTask), formatTaskVersion(ownTask)];
  if (before === null || after === null) return "";
  return sameTask(sourceTask, ownTask)
    ? ` by the same version of the task, ${after}`
    : `: task ${before} → ${after}`;
}

function RegradeLines({ regrades, own }: { regrades: Lineage["regrades"]; own: TrialPage }) {
  const side = { outcome: own.trial.outcome, rewardText: own.headline?.text ?? null };
  return (
    <>
      <p className="lineage-head">
        <b>{regrades.length === 1 ? "Regraded later" : `Regraded later, ${regrades.length} times`}</b>
        <span className="muted">The same rollout, verified again. This verdict is as recorded.</span>
      </p>
      <ul>
        {regrades.map((regrade) => (
          <li key={`${regrade.jobKey} ${regrade.key}`}>
            <RewardWord side={side} title="Reward here" />
            <span aria-label="to">→</span>
            <RewardWord side={regrade} title="Reward of the regrade" />
            <Link href={trialPageHref(regrade.jobKey, regrade.key)}>
              {regrade.key} in {regrade.jobName}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function RewardWord({ side: { outcome, rewardText }, title }: { side: Side; title: string }) {
  return (
    <span className="status-word" title={title}>
      <Mark status={outcome} />
      <b className="mono">{rewardText ?? MISSING}</b>
    </span>
  );
}

export function NoTrajectory({ page }: { page: TrialPage }) {
  const { at, nFiles, trajectory, trial } = page;
  if (trajectory.nAll > 0) return null;
  const link = (tab: TrialTab, words: string) => (
    <Link href={openTrialHref(at, { tab })} mode="stay">
      {words}
    </Link>
  );
  return (
    <div className="no-trajectory">
      <p>
        <b>No trace.</b> {describeMissing(page)}{" "}
        {nFiles === null || nFiles === 0 || page.hidden.length > 0
          ? null
          : trial.ledger === null
            ? link("log", "Open the log")
            : link("config", "Open the record")}
      </p>
      <UnknownFiles page={page} />
    </div>
  );
}

function describeMissing({ trial, nSteps, unreadSteps, nFiles }: TrialPage): string {
  if (trial.ledger !== null)
    return "A ledger stores agents’ work in separate files. Files lists those named by the record.";
  if (unreadSteps !== null)
    return `The trajectory cannot be read. ${unreadSteps.path}: ${unreadSteps.detail}`;
  if (nSteps !== null) return "The trajectory has no steps.";
  if (nFiles === null) return "This trial has no folder: only its job’s plan or counts mention it.";
  return trial.state === "running"
    ? "The trial is still running. Most agents write agent/trajectory.json when they end."
    : "No readable agent log in this trial.";
}

function UnknownFiles({ page: { at, trajectory } }: { page: TrialPage }) {
  const { unknown } = trajectory.origin;
  if (unknown.length === 0) return null;
  return (
    <ul>
      {unknown.map(({ path, reason }) => (
        <li key={path}>
          <Link href={openTrialHref(at, { tab: "files", file: path })}>
            <code>{path}</code>
          </Link>
          : {reason}
        </li>
      ))}
    </ul>
  );
}
