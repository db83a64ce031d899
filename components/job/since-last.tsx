import { Link } from "@/components/ui/link";
import { TimeText } from "@/components/ui/time-text";
import { Count } from "@/components/ui/values";
import { formatPlural, formatPValue } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import { compareParamsHref } from "@/lib/pages/compare/address";
import type { SinceLastPanel, SinceLastRow } from "@/lib/pages/job/since-last";
import { trialsPageHref } from "@/lib/pages/trials/address";

import "./job-page.css";

/** More tasks do not fit into a URL. */
const MOST_LINKED = 60;

export function JobSinceLast({ jobKey, panel }: { jobKey: string; panel: SinceLastPanel | null }) {
  if (panel === null) return null;
  const { rows, nLeftOut, nUndated } = panel;
  const notes = [
    nLeftOut === 0 ? "" : `${formatPlural(nLeftOut, "more group")} with an earlier run not shown.`,
    nUndated === 0
      ? ""
      : `${formatPlural(nUndated, "other run")} without a known start, so not used as the last run.`,
  ].filter((note) => note !== "");
  return (
    <section aria-label="Since the last run" className="job-since">
      {rows.map((row) => (
        <SinceLine key={row.groupKey} jobKey={jobKey} row={row} isOnly={rows.length === 1} />
      ))}
      {notes.length === 0 ? null : <p className="caption job-lineage-line">{notes.join(" ")}</p>}
    </section>
  );
}

function SinceLine({ jobKey, row, isOnly }: { jobKey: string; row: SinceLastRow; isOnly: boolean }) {
  const { agent, model, before, refs, since } = row;
  const lead = isOnly ? "Since" : `${agent}${model === null ? "" : ` ${model}`} since`;
  const link = <Link href={compareParamsHref({ refs })}>Compare the two</Link>;
  return (
    <p className="job-lineage-line">
      {lead} <Link href={jobHref(before.key)}>{before.name}</Link> (started <TimeText time={before.start} />
      ):{" "}
      {since === null ? (
        <>no reward to compare. {link}</>
      ) : (
        <>
          <Counts jobKey={jobKey} row={row} since={since} /> {since.words.sentence} {describeChance(since)}
          {link}
        </>
      )}
    </p>
  );
}

type Since = NonNullable<SinceLastRow["since"]>;

function Counts({ jobKey, row, since }: { jobKey: string; row: SinceLastRow; since: Since }) {
  const { newPasses, newFailures, sameFailures } = since;
  const count = (tasks: readonly string[], one: string, many: string) => (
    <>
      <Count
        value={tasks.length}
        href={
          tasks.length > MOST_LINKED
            ? compareParamsHref({ refs: row.refs, show: "differ" })
            : trialsPageHref(jobKey, { groups: [row.groupKey], tasks: [...tasks] })
        }
      />{" "}
      {tasks.length === 1 ? one : many}
    </>
  );
  return (
    <>
      <b>
        {count(newPasses, "new pass", "new passes")}, {count(newFailures, "new failure", "new failures")}
      </b>
      , {count(sameFailures, "same failure", "same failures")}
      {since.nNotInBoth === 0 ? "" : `, ${formatPlural(since.nNotInBoth, "task")} not finished in both`}.
      {describeAttempts(since)}
      {since.nSameRollouts === 0
        ? ""
        : ` ${formatPlural(since.nSameRollouts, "trial")} of it grade the same rollouts.`}
    </>
  );
}

function describeAttempts({ attempts: [before, now] }: Since): string {
  if (before <= 1 && now <= 1) return "";
  const uneven = before === now ? "" : ` (up to ${String(before)} then, ${String(now)} now)`;
  return ` A task passes when any of its attempts does${uneven}.`;
}

function describeChance({ chance, newPasses, newFailures }: Since): string {
  const nChanged = newPasses.length + newFailures.length;
  if (chance.kind === "unavailable" || nChanged === 0) return "";
  return `McNemar p ${formatPValue(chance.p)}. `;
}
