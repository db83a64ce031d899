import { Fragment } from "react";

import { compareParamsHref, type CompareParams } from "@/lib/addresses/compare";
import { AgentMark } from "@/components/ui/agent-mark";
import { ButtonLink } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page-title";
import { Stamp } from "@/components/ui/stamp";
import { jobPageHref } from "@/lib/addresses/job";
import { formatPlural } from "@/lib/format/number";
import { capitalise, formatVerdict } from "@/lib/format/words";
import type { Comparison } from "@/lib/queries/compare/page";

import "./compare-title.css";

/** Who is compared with whom, on what, and whether the recorded figures of all of them hold. */
export function CompareTitle({ comparison, params }: { comparison: Comparison; params: CompareParams }) {
  const { groups, stamp, nCommon } = comparison;
  const jobs = [...new Map(groups.map(({ job }) => [job.key, job.name])).values()];
  const attempts = new Set(
    comparison.matrix.parts.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.map(({ n }) => n))),
  );
  const [each] = attempts;
  const many = attempts.size === 1 && each !== undefined ? `, ${formatPlural(each, "attempt")} each` : "";
  const agents = new Set(groups.map(({ group }) => [group.agent, group.model ?? ""].join(" ").trim()));
  const [agent] = agents;
  const where =
    agents.size === 1 && agent !== undefined
      ? agent
      : jobs.length <= 2
        ? jobs.join(" and ")
        : formatPlural(jobs.length, "job");
  const worst = groups.find(({ group }) => group.verdict === stamp.verdict) ?? groups[0];
  return (
    <PageTitle
      title={
        <span className="compare-names">
          {groups.map((group, index) => (
            <Fragment key={group.id}>
              {index === 0 ? null : <span className="compare-joint">{index === 1 ? "vs" : "and"}</span>}
              <span className="compare-name" title={`${group.job.name}: ${group.group.key}`}>
                <AgentMark {...group} size={14} />
                {group.label}
              </span>
            </Fragment>
          ))}
        </span>
      }
      summary={`${where}: ${formatPlural(nCommon, "common task")}${many}, reward key ${comparison.key}, passed at ${params.threshold}, missing rewards ${params.missing === "zero" ? "count as 0" : "excluded"}.`}
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
          <ButtonLink href={compareParamsHref(params, { picking: true })}>Change groups</ButtonLink>
        </>
      }
    />
  );
}
