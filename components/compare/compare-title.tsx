import { Fragment } from "react";

import { CommandKey } from "@/components/shell/command-key";
import { AgentMark } from "@/components/ui/agent-mark";
import { ButtonLink } from "@/components/ui/button";
import { Stamp } from "@/components/ui/check";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page-title";
import { formatPlural } from "@/lib/core/format/number";
import { capitalise, formatVerdict } from "@/lib/core/format/words";
import { compareParamsHref, type CompareParams, reportHref } from "@/lib/pages/compare/address";
import type { Comparison } from "@/lib/pages/compare/page";
import { jobPageHref } from "@/lib/pages/job/address";

import "./compare-title.css";

export function CompareTitle({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { groups, lead, stamp, nCommon } = comparison;
  const titled = lead === null ? groups : [lead.first, lead.second];
  const runs = groups.flatMap((group) => group.runs);
  const jobs = [...new Map(runs.map(({ job }) => [job.key, job.name])).values()];
  const attempts = new Set(
    comparison.matrix.parts.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.map(({ n }) => n))),
  );
  const [each] = attempts;
  const many = attempts.size === 1 && each !== undefined ? `, ${formatPlural(each, "attempt")} each` : "";
  const agents = new Set(runs.map(({ group }) => [group.agent, group.model ?? ""].join(" ").trim()));
  const [agent] = agents;
  const where =
    agents.size === 1 && agent !== undefined
      ? agent
      : jobs.length <= 2
        ? jobs.join(" and ")
        : formatPlural(jobs.length, "job");
  // A part of a group is in no report, so its figures cannot be checked.
  const isWhole = runs.every(({ group, figureKey }) => group.key === figureKey);
  const worst = runs.find(({ group }) => group.verdict === stamp.verdict) ?? runs[0];
  return (
    <PageTitle
      title={
        <span className="compare-names">
          {titled.map((group, index) => (
            <Fragment key={group.id}>
              {index === 0 ? null : <span className="compare-joint">vs</span>}
              <span
                className="compare-name"
                title={group.runs.map((run) => `${run.job.name}: ${run.group.key}`).join("\n")}
              >
                <AgentMark {...group} size={14} />
                {group.label}
              </span>
            </Fragment>
          ))}
          {groups.length === 2 ? null : <span className="compare-joint">and {groups.length - 2} more</span>}
        </span>
      }
      summary={`${where}: ${formatPlural(nCommon, "common task")}${many}, reward key ${comparison.key}, passed at ${params.threshold}, ${comparison.counting}.${describeNames(groups)}`}
      actions={
        <>
          {worst === undefined ? null : (
            <Stamp
              verdict={stamp.verdict}
              words={
                stamp.nFigures === 0
                  ? capitalise(formatVerdict(stamp.verdict))
                  : `${stamp.verdict === "exact" ? "Scores verified" : capitalise(formatVerdict(stamp.verdict))}, ${stamp.nExact} of ${stamp.nFigures}`
              }
              href={jobPageHref(worst.job.key, { tab: "verification" })}
            />
          )}
          <NextBaseline groups={groups} params={params} />
          {isWhole ? (
            <ButtonLink download href={reportHref(params)}>
              Report
            </ButtonLink>
          ) : null}
          <ButtonLink href={compareParamsHref(params, { picking: true })}>Change groups</ButtonLink>
        </>
      }
    />
  );
}

function describeNames(groups: Comparison["groups"]): string {
  const [shortened] = groups.filter(({ fullName }) => fullName !== undefined);
  return shortened?.fullName === undefined
    ? ""
    : ` Names are shortened: ${shortened.label} is ${shortened.fullName}.`;
}

function NextBaseline({ groups, params }: { groups: Comparison["groups"]; params: CompareParams }) {
  const [first, second, ...others] = groups;
  if (first === undefined || second === undefined) return null;
  const isPair = others.length === 0;
  return (
    <Link
      className="button button-plain"
      href={compareParamsHref(params, {
        refs: [second, ...others, first].flatMap(({ refs }) => refs),
        order: "chosen",
      })}
      title={isPair ? "Reverse the difference" : `Compare the others with ${second.label}`}
      data-command="compare.baseline"
    >
      {isPair ? "Swap" : "Next baseline"}
      <CommandKey id="compare.baseline" />
    </Link>
  );
}
