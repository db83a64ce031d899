"use client";

import { useMemo } from "react";

import { Mark } from "@/components/ui/mark";
import { type Packed, unpack } from "@/components/ui/packed";
import { jobHref, trialHref } from "@/lib/addresses/href";
import { formatCount, MISSING } from "@/lib/format/number";
import { OUTCOME_WORDS, SUSPECT_WORDS } from "@/lib/format/words";

import { useFollowLinks } from "@/components/jobs/follow-links";
import type { AttemptLine, CellLine, TaskLine } from "./task-lines";

/** The rows of the tasks table: the attempts of every group as marks, each a plain link to its trial. */
export function JobTaskRows({
  packed,
  jobKey,
  hidden,
  isAlone,
}: {
  packed: Packed<readonly TaskLine[]>;
  jobKey: string;
  hidden: readonly string[];
  /** Whether the job has one group alone. */
  isAlone: boolean;
}) {
  const follow = useFollowLinks();
  const lines = useMemo(() => unpack(packed), [packed]);
  return (
    <tbody onClick={follow}>
      {lines.map((line) => (
        <TaskRow key={line.task} {...{ line, jobKey, hidden, isAlone }} />
      ))}
    </tbody>
  );
}

function TaskRow({
  line,
  jobKey,
  hidden,
  isAlone,
}: {
  line: TaskLine;
  jobKey: string;
  hidden: readonly string[];
  isAlone: boolean;
}) {
  const shows = (column: string) => !hidden.includes(column);
  return (
    <tr>
      <td className="name">
        <a
          className="job-task"
          href={jobHref(jobKey, { tab: "trials", task: line.task })}
          data-row-link=""
          title={line.task}
        >
          {line.task}
        </a>
      </td>
      {line.cells.map((cell, index) => (
        <td key={index}>
          {cell === null ? (
            <span className="unknown">{MISSING}</span>
          ) : (
            <Attempts cell={cell} jobKey={jobKey} />
          )}
        </td>
      ))}
      {isAlone ? null : (
        <td className={line.nPassed === 0 ? "numeric zero" : "numeric"}>
          {line.nPassed === null ? MISSING : formatCount(line.nPassed)}
        </td>
      )}
      {line.reward === undefined ? null : <NumberCell text={line.reward} className="numeric" />}
      {shows("pattern") ? <td className={line.isMixed ? undefined : "muted"}>{line.pattern}</td> : null}
      {shows("reviewed") ? <ReviewedCell reviews={line.reviews} /> : null}
      {shows("cost") ? <NumberCell text={line.cost} className="numeric minor" /> : null}
      {shows("duration") ? <NumberCell text={line.duration} className="numeric minor" /> : null}
    </tr>
  );
}

function NumberCell({ text, className }: { text: string; className: string }) {
  return <td className={text === MISSING ? `${className} unknown` : className}>{text}</td>;
}

function Attempts({
  cell: { attempts, nMore, nPassed, nEnded },
  jobKey,
}: {
  cell: CellLine;
  jobKey: string;
}) {
  return (
    <span className="job-cell">
      <span className="attempts">
        {attempts.map((attempt, index) => (
          <Attempt key={attempt[0] ?? index} attempt={attempt} jobKey={jobKey} />
        ))}
      </span>
      {/* The row's own link lists them all. */}
      {nMore === undefined ? null : <span className="caption">and {formatCount(nMore)} more</span>}
      <span className="job-cell-count">
        {nEnded === 0 ? (
          <span className="unknown">{MISSING}</span>
        ) : (
          <>
            {nPassed}
            <span className="muted">{`/${nEnded}`}</span>
          </>
        )}
      </span>
    </span>
  );
}

function Attempt({
  attempt: [key, attempt, outcome, exception, isSuspect],
  jobKey,
}: {
  attempt: AttemptLine;
  jobKey: string;
}) {
  const notes = [OUTCOME_WORDS[outcome], exception ?? "", isSuspect === true ? SUSPECT_WORDS.full : ""];
  const words = `attempt ${attempt}: ${notes.filter((note) => note !== "").join(", ")}`;
  const className = isSuspect === true ? "attempt-suspect" : undefined;
  return key === null ? (
    <span title={words} className={className}>
      <Mark status={outcome} label={words} />
    </span>
  ) : (
    // The title names the link.
    <a href={trialHref(jobKey, key)} title={words} className={className}>
      <Mark status={outcome} />
    </a>
  );
}

function ReviewedCell({ reviews }: { reviews: TaskLine["reviews"] }) {
  if (reviews === null) {
    return (
      <td className="numeric unknown" title="The annotations cannot be read">
        {MISSING}
      </td>
    );
  }
  const [nReviewed, nDisagree] = reviews;
  return (
    <td className={nReviewed === 0 ? "numeric zero" : "numeric"}>
      {nReviewed}
      {nDisagree === 0 ? null : <span className="job-disagrees">{`, ${nDisagree} disagree`}</span>}
    </td>
  );
}
