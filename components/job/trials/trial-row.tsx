import { memo } from "react";

import { AgentName } from "@/components/ui/agent-name";
import { ExactNumber } from "@/components/ui/exact-number";
import { StatusWord } from "@/components/ui/mark";
import { Check } from "@/components/ui/check";
import { SuspectMark } from "@/components/ui/suspect-mark";
import { TimeText } from "@/components/ui/time-text";
import { trialHref } from "@/lib/addresses/href";
import { MISSING } from "@/lib/format/number";
import { COPIED_COST_WORDS } from "@/lib/format/words";

import type { TrialLine } from "./trial-lines";

/** One trial of the trials table. Its link is a plain one, which the table follows for all its rows. */
export const JobTrialRow = memo(function JobTrialRow({
  line,
  index,
  rowIndex,
  jobKey,
  hidden,
}: {
  line: TrialLine;
  /** Among the rows that are loaded, from 0. */
  index: number;
  /** Among all rows of the table, its heading being row 1. */
  rowIndex: number;
  jobKey: string;
  hidden: readonly string[];
}) {
  const shows = (column: string) => !hidden.includes(column);
  return (
    <tr data-index={index} aria-rowindex={rowIndex}>
      <td className="name">
        <TrialName line={line} jobKey={jobKey} />
      </td>
      {shows("agent") ? (
        <td>
          <AgentName identity={line.identity} agent={line.agent} model={line.model ?? null} />
          {line.setup === undefined ? null : <span className="muted"> {line.setup}</span>}
        </td>
      ) : null}
      <td>
        <StatusWord status={line.outcome} />
      </td>
      <RewardCell line={line} />
      {shows("exception") ? <ExceptionCell line={line} /> : null}
      {shows("judgment") ? <JudgmentCell line={line} /> : null}
      {shows("cost") ? <NumberCell text={line.cost} isCopied={line.isCopied} /> : null}
      {shows("duration") ? <NumberCell text={line.duration} /> : null}
      {shows("tokens") ? <NumberCell text={line.tokens} isCopied={line.isCopied} minor /> : null}
      {shows("started") ? (
        <td className="numeric muted minor">
          <TimeText time={line.started ?? null} narrow />
        </td>
      ) : null}
    </tr>
  );
});

function TrialName({ line, jobKey }: { line: TrialLine; jobKey: string }) {
  const name = line.name ?? line.key;
  const words = (
    <>
      <span className="cut">{line.task}</span>
      <span className="muted">{` ${line.attempt}`}</span>
    </>
  );
  return line.isGone ? (
    <span className="job-task job-attempt" title={`${name}: its folder is not here`}>
      {words}
    </span>
  ) : (
    <a className="job-task job-attempt" href={trialHref(jobKey, line.key)} data-row-link="" title={name}>
      {words}
    </a>
  );
}

function NumberCell({
  text,
  minor = false,
  isCopied = false,
}: {
  text: string | undefined;
  minor?: boolean;
  isCopied?: boolean | undefined;
}) {
  const className = `numeric${minor ? " minor" : ""}${text === undefined ? " unknown" : ""}`;
  if (!isCopied) return <td className={className}>{text ?? MISSING}</td>;
  return (
    <td className={`${className} muted`} title={`Not run again: ${COPIED_COST_WORDS}`}>
      {text ?? MISSING}
    </td>
  );
}

function RewardCell({ line: { exact, shown, noReward, filesDiffer, suspect } }: { line: TrialLine }) {
  const doubt = suspect === undefined ? null : <SuspectMark reason={suspect} />;
  if (exact !== undefined) {
    return (
      <td className="numeric">
        {filesDiffer === undefined ? null : (
          <span className="job-files-differ" title={filesDiffer}>
            <Check verdict="mismatch" words="file differs" />
          </span>
        )}
        {doubt}
        <ExactNumber shown={shown ?? exact} exact={exact} />
      </td>
    );
  }
  const [words, title] = noReward ?? ["", "No reward"];
  return (
    <td className="numeric unknown" title={title}>
      {doubt}
      {words === "" ? MISSING : words}
    </td>
  );
}

function ExceptionCell({ line: { exception, failedStep, message } }: { line: TrialLine }) {
  if (exception === undefined) return <td className="unknown">{MISSING}</td>;
  return (
    <td>
      <span className="job-exception" title={message ?? exception}>
        {exception}
      </span>
      {failedStep === undefined ? null : <span className="muted"> in step {failedStep}</span>}
    </td>
  );
}

function JudgmentCell({ line: { judgment, reviewers, disagrees } }: { line: TrialLine }) {
  if (judgment === undefined) return <td className="unknown">{MISSING}</td>;
  return (
    <td title={reviewers}>
      {judgment}
      {disagrees ? <span className="job-disagrees">, disagrees</span> : null}
    </td>
  );
}
