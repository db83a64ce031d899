import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { TimeText } from "@/components/ui/time-text";
import { selectExceptionMark } from "@/lib/core/domain/exception-cause";
import { sameTask, type SourceTrial } from "@/lib/core/domain/trial";
import { MISSING } from "@/lib/core/format/number";
import { COPIED_COST_WORDS, FLIP_WORDS, formatTaskVersion } from "@/lib/core/format/words";
import { openTrialHref, trialPageHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";

import { CutText } from "./trajectory/text-lines";
import { ShowAllOf } from "./trial-parts";

export function ExceptionNotes({ page }: { page: TrialPage }) {
  return page.exceptions.map(({ type, message, traceback, step, at }, nth) => {
    const mark = selectExceptionMark(type);
    return (
      <div key={nth} className={`exception-note exception-${mark}`}>
        <p className="exception-head">
          <Mark status={mark} />
          <b>{type}</b>
          <span className="muted">
            {step === null ? null : `step ${step}`}
            {step === null || at === null ? null : ", "}
            {at === null ? null : <TimeText time={at} />}
          </span>
        </p>
        {message.lines.length === 0 ? (
          <p className="caption">The exception has no message.</p>
        ) : (
          <CutText text={message} className="exception-message" />
        )}
        {traceback === null ? null : (
          <details>
            <summary>Traceback</summary>
            <CutText text={traceback} className="step-pre" />
          </details>
        )}
        <ShowAllOf page={page} file={page.recordFile} />
      </div>
    );
  });
}

type Lineage = TrialPage["lineage"];
type Side = Pick<Lineage["regrades"][number], "outcome" | "rewardText">;

export function LineageNote({ page }: { page: TrialPage }) {
  const { regrade, regrades } = page.lineage;
  const { sourceTrial } = page.trial;
  if (sourceTrial === null && regrades.length === 0) return null;
  return (
    <section className="lineage-note" aria-label="Regrade">
      {sourceTrial === null || regrade === null ? null : (
        <SourceLine source={sourceTrial} regrade={regrade} />
      )}
      {regrades.length === 0 ? null : <RegradeLines regrades={regrades} own={page} />}
    </section>
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
  const { at, trial, nSteps, unreadSteps, nFiles } = page;
  const href = (tab: "files" | "log") => openTrialHref(at, { tab });
  const actions =
    nFiles === null || nFiles === 0 ? undefined : (
      <>
        <ButtonLink href={href("log")}>Open the log</ButtonLink>
        <ButtonLink href={href("files")}>All files</ButtonLink>
      </>
    );
  if (trial.ledger !== null) {
    return (
      <Notice
        title="No trajectory to show"
        actions={
          <>
            <ButtonLink href={openTrialHref(at, { tab: "config" })}>Open the record</ButtonLink>
            {nFiles !== null && nFiles > 1 ? <ButtonLink href={href("files")}>All files</ButtonLink> : null}
          </>
        }
      >
        A ledger stores agents&rsquo; work in separate files. Files lists those named by the record and inside
        the open folder.
      </Notice>
    );
  }
  if (unreadSteps !== null) {
    return (
      <Notice title="The trajectory cannot be read" tone="error" actions={actions}>
        {unreadSteps.path}: {unreadSteps.detail}
      </Notice>
    );
  }
  if (nSteps !== null) return <Notice title="The trajectory has no steps" actions={actions} />;
  return (
    <Notice title="No trajectory" actions={actions}>
      {nFiles === null
        ? "This trial has no folder: only its job’s plan or counts mention it."
        : trial.state === "running"
          ? "The trial is still running. Most agents write agent/trajectory.json when they end."
          : "No readable agent log in this trial."}
      <UnknownFiles page={page} />
    </Notice>
  );
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
