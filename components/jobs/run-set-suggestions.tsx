import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { compareParamsHref, writeRunSet } from "@/lib/pages/compare/address";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import type { JobsRunSets } from "@/lib/pages/run-sets/jobs-run-sets";

import { NotRepeatsButton } from "./run-set-forms";

import "./run-set-suggestions.css";

type Suggestions = JobsRunSets["suggestions"];

export function RunSetSuggestions({
  suggestions: { shown, nFound, problem },
  params,
}: {
  suggestions: Suggestions;
  params: JobsParams;
}) {
  if (problem !== null)
    return (
      <p role="alert" className="panel run-set-suggestions">
        {problem}
      </p>
    );
  if (shown.length === 0)
    return params.rule === null ? null : (
      <p role="status" className="panel run-set-suggestions">
        No jobs on this page look like repeats under the rule <code>{params.rule}</code>.
      </p>
    );
  return (
    <details className="panel run-set-suggestions" open={params.rule !== null}>
      <summary>
        {nFound === 1 ? "Jobs look like repeats" : `${formatCount(nFound)} sets of jobs look like repeats`}
        <span className="muted"> {nameJobs(shown.map(({ jobs }) => jobs[0] ?? ""))}</span>
      </summary>
      <ul>
        {shown.map((suggestion) => (
          <li key={suggestion.refs.join(" ")} className="row">
            <p>
              <b title={suggestion.jobs.join("\n")}>{nameJobs(suggestion.jobs)}</b>
              {suggestion.agent === null ? "" : ` of ${suggestion.agent}`} look like repeats
              {describeChecks(suggestion)}
            </p>
            <span className="run-set-answers">
              <ForAction action="saveRunSetAction">
                <NotRepeatsButton refs={suggestion.refs} jobs={nameJobs(suggestion.jobs)} params={params} />
                <ButtonLink href={jobsHref(params, { join: [...suggestion.refs], page: params.page })}>
                  Count {suggestion.refs.length} together
                </ButtonLink>
              </ForAction>
            </span>
          </li>
        ))}
        {nFound > shown.length ? (
          <li className="muted">{formatPlural(nFound - shown.length, "more set")} on this page.</li>
        ) : null}
        {shown.length < 2 ? null : (
          <li>
            <p className="muted">Without saving anything:</p>
            <ButtonLink href={compareParamsHref({ refs: shown.flatMap(({ refs }) => writeRunSet(refs)) })}>
              Compare as {shown.length} run sets
            </ButtonLink>
          </li>
        )}
      </ul>
    </details>
  );
}

const MOST_NAMED = 4;

function nameJobs(jobs: readonly string[]): string {
  if (jobs.length === 1) return jobs.join("");
  const named = jobs.length > MOST_NAMED ? jobs.slice(0, MOST_NAMED - 1) : jobs;
  const more = jobs.length - named.length;
  if (more > 0) return `${named.join(", ")} and ${formatCount(more)} more`;
  return `${named.slice(0, -1).join(", ")} and ${named.at(-1) ?? ""}`;
}

function describeChecks({ checks, nTasks }: Suggestions["shown"][number]): string {
  if (checks === null) return " by their names.";
  const list = (state: string) =>
    checks
      .filter((check) => check.state === state)
      .map(({ name }) => name)
      .join(", ");
  const [differing, unknown] = [list("differs"), list("unknown")];
  if (differing !== "") return ` by their names. Warnings: ${differing}.`;
  const tasks = formatPlural(nTasks, "task");
  return unknown === ""
    ? `: same agent settings, ${tasks}, same digests.`
    : `: ${tasks}, no known difference. Not recorded: ${unknown}.`;
}
