import Link from "next/link";

import { Mark } from "@/components/ui/mark";
import { jobHref } from "@/lib/format/href";
import { formatCount, MISSING } from "@/lib/format/number";
import type { JobsItem, JobsRow } from "@/lib/queries/jobs-page";

/** Trials without a usable result, each kind by itself. Planned ones without a folder are pending while the job runs. */
export function listOpen(item: JobsItem, row: JobsRow) {
  const { running, missing, unreadable, unscored } = row.counts;
  const nUnbegun = item.groups.length === 1 ? Math.max(0, (item.nPlanned ?? 0) - row.trials.length) : 0;
  const isRunning = item.entry.job.state === "running";
  const kinds = [
    { status: "running", count: running, words: "running" },
    { status: "missing", count: isRunning ? nUnbegun : 0, words: "not begun" },
    { status: "missing", count: missing + (isRunning ? 0 : nUnbegun), words: "missing" },
    { status: "unreadable", count: unreadable, words: "unreadable" },
    { status: "unscored", count: unscored, words: "without a reward" },
  ] as const;
  return kinds.filter(({ count }) => count > 0);
}

/** Kinds of open trials as glyphs with their numbers. */
export function OpenCell({ item, row }: { item: JobsItem; row: JobsRow }) {
  const kinds = listOpen(item, row);
  if (kinds.length === 0) return <td className="numeric minor zero">0</td>;
  const words = kinds.map((kind) => `${kind.count} ${kind.words}`).join(", ");
  return (
    <td className="numeric minor" title={words}>
      <span className="screen-reader">{words}</span>
      <span className="jobs-open" aria-hidden="true">
        {kinds.map((kind) => (
          <span key={kind.words} className="jobs-open-kind">
            <Mark status={kind.status} /> {kind.count}
          </span>
        ))}
      </span>
    </td>
  );
}

/** On how many of the judged trials a reviewer contradicts the verifier, and the way to them. A dash: nobody judged. */
export function JudgedCell({ jobKey, row }: { jobKey: string; row: JobsRow }) {
  const { reviews, group } = row;
  if (reviews === null) {
    return (
      <td className="numeric minor unknown" title="The annotations cannot be read">
        {MISSING}
      </td>
    );
  }
  if (reviews.nJudged === 0) {
    return (
      <td className="numeric minor unknown" title="Nobody judged any of these trials">
        {MISSING}
      </td>
    );
  }
  const hrefOf = (judgment: "any" | "disagrees") =>
    jobHref(jobKey, { tab: "trials", group: group.key, judgment });
  return (
    <td className="numeric minor">
      {reviews.nDisagreeing === 0 ? (
        <span className="muted">0</span>
      ) : (
        <Link className="quiet jobs-disagree" href={hrefOf("disagrees")} prefetch={false}>
          {formatCount(reviews.nDisagreeing)}
        </Link>
      )}
      <span className="muted"> of </span>
      <Link className="quiet" href={hrefOf("any")} prefetch={false}>
        {formatCount(reviews.nJudged)}
      </Link>
    </td>
  );
}
