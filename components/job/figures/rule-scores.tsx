import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import type { RuleScore } from "@/lib/core/comparison";
import { SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import { formatCount, formatPlural, formatReward, MISSING } from "@/lib/core/format/number";
import type { JobPage } from "@/lib/pages/job/page";
import type { GroupRuleScores } from "@/lib/pages/job/score-by-rule";

const MAX_ROWS = 24;

export function JobRuleScores({ page, scores }: { page: JobPage; scores: readonly GroupRuleScores[] }) {
  const rules = scores[0]?.scores;
  if (rules === undefined) return null;
  const areEqual = scores.every(({ scores: own }) => new Set(own.map(formatMean)).size === 1);
  const rows = scores.flatMap(({ groupKey, scores: own }) => {
    const found = page.groups.find(({ group }) => group.key === groupKey);
    return found === undefined ? [] : [{ ...found, own }];
  });
  const recorded = rules.find(({ isRecorded }) => isRecorded);
  return (
    <Section
      title="Score by rule"
      note={
        areEqual && recorded !== undefined
          ? `Recorded by ${SCORING_WORDS[recorded.rule]}; every rule gives the same scores`
          : undefined
      }
    >
      {areEqual ? null : (
        <DataTable
          caption="Score of each group under each scoring rule"
          columns={[
            column(
              "Group",
              ({ group, identity }: (typeof rows)[number]) => <AgentName {...group} identity={identity} />,
              { className: "name" },
            ),
            ...rules.map(({ rule, isRecorded }, at): DataColumn<(typeof rows)[number]> =>
              column(
                isRecorded ? `${SCORING_WORDS[rule]}, recorded` : SCORING_WORDS[rule],
                ({ own }) => <Score score={own[at]} />,
                { numeric: true },
              ),
            ),
          ]}
          rows={rows.slice(0, MAX_ROWS)}
          rowKey={({ group }) => group.key}
        />
      )}
      {areEqual ? null : (
        <p className="caption table-note">
          Mean reward over the trials that each rule counts. Bold: the rule that wrote this job.
          {rows.length > MAX_ROWS ? ` ${formatCount(rows.length - MAX_ROWS)} more groups are not shown.` : ""}
        </p>
      )}
    </Section>
  );
}

function Score({ score }: { score: RuleScore | undefined }) {
  if (score === undefined) return null;
  return (
    <>
      {score.isRecorded ? <b>{formatMean(score)}</b> : formatMean(score)}{" "}
      <span className="muted">{formatPlural(score.nCounted, "trial")}</span>
    </>
  );
}

function formatMean({ result }: RuleScore): string {
  return result.kind === "computed" ? formatReward(result.mean) : MISSING;
}
