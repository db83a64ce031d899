import { trialPageHref } from "@/lib/addresses/trial";
import { Mark } from "@/components/ui/mark";
import { SoftLink } from "@/components/ui/soft-link";
import { sameTask, type SourceTrial } from "@/lib/domain/lineage";
import { MISSING } from "@/lib/format/number";
import { COPIED_COST_WORDS, FLIP_WORDS, formatTaskVersion } from "@/lib/format/words";
import type { TrialPage } from "@/lib/queries/trial/page";

type Lineage = TrialPage["lineage"];
type Side = Pick<Lineage["regrades"][number], "outcome" | "rewardText">;

/** The verdict of a regraded trial beside that of its source, and the regrades of a trial: the same rollout each time. */
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
          <>The source is {nameSource(source)}, which is not open here, so its reward is not known.</>
        ) : (
          <>
            Same rollout as{" "}
            <SoftLink href={trialPageHref(open.jobKey, open.key)}>
              {open.key} in {open.jobName}
            </SoftLink>
            , verified again{describeVersions(regrade)}.
          </>
        )}{" "}
        <span className="muted">Nothing was run again: {COPIED_COST_WORDS}.</span>
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
  const headline = own.rewards.find(({ isHeadline }) => isHeadline);
  const side = { outcome: own.trial.outcome, rewardText: headline?.text ?? null };
  return (
    <>
      <p className="lineage-head">
        <b>{regrades.length === 1 ? "Regraded later" : `Regraded later, ${regrades.length} times`}</b>
        <span className="muted">The same rollout, verified again; this verdict stands as recorded.</span>
      </p>
      <ul>
        {regrades.map((regrade) => (
          <li key={`${regrade.jobKey} ${regrade.key}`}>
            <RewardWord side={side} title="Reward here" />
            <span aria-label="to">→</span>
            <RewardWord side={regrade} title="Reward of the regrade" />
            <SoftLink href={trialPageHref(regrade.jobKey, regrade.key)}>
              {regrade.key} in {regrade.jobName}
            </SoftLink>
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
