import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { EMPTY_DIGEST } from "@/lib/core/domain/verifier-check";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { UNCOMPARED_WORDS, formatTask } from "@/lib/core/format/words";
import { PARTS } from "@/lib/pages/address/part";
import type { JobPage } from "@/lib/pages/job/page";
import type { DeterminismPanel } from "@/lib/pages/job/verifier-checks";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";

import "../job-page.css";

type Group = DeterminismPanel["groups"][number];
type Member = Group["trials"][number];

const TITLE = "Same output, same reward";

export function JobDeterminism({ page, panel }: { page: JobPage; panel: DeterminismPanel }) {
  const { state, nChecked } = panel;
  if (state === "reading" && nChecked === 0) {
    return (
      <Section title={TITLE} id={PARTS.determinism}>
        <DerivedDetailsReading what="Outputs" />
      </Section>
    );
  }
  const { key } = page.job;
  return (
    <Section
      id={PARTS.determinism}
      title={TITLE}
      note={`${formatCount(nChecked)} of ${formatPlural(page.job.nTrials, "trial")} checked`}
      actions={
        panel.nDisagreeing === 0 ? undefined : (
          <Link href={trialsPageHref(key, { verifier: ["nondeterministic"] })}>
            {formatPlural(panel.nDisagreeing, "trial")}
          </Link>
        )
      }
    >
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      <p className={panel.nDisagreeing === 0 ? "muted" : "job-doubt-line"}>{describeResult(panel)}</p>
      {panel.groups.length === 0 ? null : (
        <DataTable
          caption="Outputs that got different rewards"
          columns={listColumns(key)}
          rows={panel.groups}
          rowKey={({ digest, trials }) => `${digest} ${trials[0]?.taskName}`}
        />
      )}
      <p className="caption table-note">{describeRest(panel)}</p>
      <Methods>
        <p>
          An output is agent/output.md or output.jsonl, otherwise the files listed by the manifest of
          artifacts without logs. Rewards are compared in all keys, as Python compares them.
        </p>
      </Methods>
    </Section>
  );
}

function describeResult({ nChecked, nShared, nDisagreeing, nGroups }: DeterminismPanel): string {
  if (nChecked === 0) return "No trial has the output, task digest and reward needed for a comparison.";
  if (nShared === 0) return "Every output of a task is unique, so there is nothing to compare.";
  const shared = `${formatPlural(nShared, "trial shares", "trials share")} an output with another trial of the same task, here or in another job`;
  if (nDisagreeing === 0) return `${shared}, and all of them got the same reward.`;
  return `${shared}; ${formatCount(nDisagreeing)} of these got different rewards for ${formatPlural(nGroups, "output")}: the verifier is not deterministic.`;
}

function describeRest({ uncompared, groups, nGroups, nJobsToRead }: DeterminismPanel): string {
  const left = uncompared.map(
    ({ reason, nTrials }) => `${formatPlural(nTrials, "trial")} ${UNCOMPARED_WORDS[reason]}`,
  );
  return [
    ...(nGroups > groups.length ? [`The first ${formatCount(groups.length)} outputs are listed.`] : []),
    ...(left.length === 0 ? [] : [`Not compared: ${left.join(", ")}.`]),
    ...(nJobsToRead === 0
      ? []
      : [`The outputs of ${formatPlural(nJobsToRead, "other job is", "other jobs are")} not read yet.`]),
  ].join(" ");
}

function listColumns(jobKey: string): readonly DataColumn<Group>[] {
  return [
    column(
      "Task",
      ({ trials: [first] }) =>
        first && (
          <Link
            href={trialsPageHref(jobKey, { tasks: [first.taskName], verifier: ["nondeterministic"] })}
            data-row-link=""
          >
            {formatTask(first)}
          </Link>
        ),
      { className: "name" },
    ),
    column(
      "Output",
      ({ digest, trials }) => (
        <code title={`${digest}, ${trials[0]?.outputPath ?? ""}`}>
          {digest === EMPTY_DIGEST ? "empty" : digest.slice(0, 10)}
        </code>
      ),
      { title: "First digits of its SHA-256" },
    ),
    column("Trials", ({ nTrials }) => formatCount(nTrials), { numeric: true }),
    column("Rewards", ({ trials }) => listRewards(trials).join(" or "), { className: "wrap" }),
  ];
}

function listRewards(trials: readonly Member[]): readonly string[] {
  const keys = listDifferingKeys(trials);
  const byReward = Map.groupBy(trials, (trial) => writeRewards(trial, keys));
  return [...byReward].map(
    ([reward, own]) =>
      `${reward} (${own.map(({ agent, attempt, jobName }) => `${agent} ${attempt} in ${jobName}`).join(", ")})`,
  );
}

function listDifferingKeys(trials: readonly Member[]): ReadonlySet<string> {
  const texts = new Map<string, Set<string>>();
  for (const { rewards } of trials) {
    for (const [key, text] of rewards) texts.set(key, (texts.get(key) ?? new Set()).add(text));
  }
  const nWith = (key: string) => trials.filter(({ rewards }) => rewards.some(([one]) => one === key)).length;
  return new Set([...texts].flatMap(([key, own]) => (own.size > 1 || nWith(key) < trials.length ? key : [])));
}

function writeRewards({ rewards }: Member, keys: ReadonlySet<string>): string {
  const shown = rewards.filter(([key]) => keys.has(key));
  if (rewards.length === 1) return shown[0]?.[1] ?? rewards[0]?.[1] ?? "";
  return shown.map(([key, text]) => `${key} ${text}`).join(", ");
}
