import type { ReactNode } from "react";

import { AgentName } from "@/components/ui/agent-name";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { listColumns } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { Outcome } from "@/lib/core/domain/trial";
import { JUDGMENT_COLUMNS } from "@/lib/core/fields/judgments.fields";
import { MISSING } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { trialHref } from "@/lib/pages/address/href";

import { OutcomeWithReward } from "./judgment-words";

export interface JudgmentLine {
  readonly taskName: string;
  readonly prefix: string;
  readonly trialName: string;
  readonly jobName: string;
  readonly trial: { readonly jobKey: string; readonly key: string; readonly attempt: number } | null;
  readonly identity: number;
  readonly agent: string;
  readonly model: string | null;
  readonly outcome: Outcome;
  readonly reward: string | null;
  /** The outcome that the reviewer saw, if it has changed since. */
  readonly seen: string | null;
  readonly judgment: ReactNode;
  readonly categories: string;
  readonly notes: string;
  readonly reviewerId: string | null;
  readonly discipline: string | null;
}

export const JUDGMENT_LIST = listColumns<JudgmentLine, keyof typeof JUDGMENT_COLUMNS>(JUDGMENT_COLUMNS, {
  task: (line) => <Place {...line} />,
  agent: ({ identity, agent, model }) => <AgentName identity={identity} agent={agent} model={model} />,
  verifier: ({ outcome, reward, trial, seen }) => (
    <>
      <OutcomeWithReward
        outcome={outcome}
        reward={reward}
        title={trial === null ? "Outcome at review" : undefined}
      />
      {seen === null ? null : (
        <span className="muted" title="The outcome or reward changed after the judgment">
          {` was ${seen}`}
        </span>
      )}
    </>
  ),
  judgment: ({ judgment }) => judgment,
  reason: ({ categories, notes }) => (
    <span className="cut" title={[categories, notes].filter(Boolean).join("\n")}>
      {categories === "" ? null : <b>{categories}</b>}
      {categories !== "" && notes !== "" ? ", " : null}
      {categories === "" && notes === "" ? MISSING : notes}
    </span>
  ),
  reviewer: ({ reviewerId, discipline }) =>
    reviewerId === null ? (
      <Unknown />
    ) : (
      <span title={[reviewerId, discipline].filter(Boolean).join(", ")}>{reviewerId}</span>
    ),
});

function Place({ taskName, prefix, trialName, jobName, trial }: JudgmentLine) {
  const name = formatTask({ taskName, trialName });
  return (
    <span className="annotation-trial">
      {trial === null ? (
        <span className="annotation-lost cut" title={trialName}>
          <FoldedName name={name} prefix={prefix} />
        </span>
      ) : (
        <Link className="cut" href={trialHref(trial.jobKey, trial.key)} data-row-link="" title={trialName}>
          <FoldedName name={name} prefix={prefix} />
        </Link>
      )}
      <span className="muted cut" title={jobName}>
        {trial === null
          ? `trial not found, was in ${jobName}`
          : `attempt ${String(trial.attempt)}, ${jobName}`}
      </span>
    </span>
  );
}
