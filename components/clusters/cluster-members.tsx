import { AgentName } from "@/components/ui/agent-name";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount } from "@/lib/core/format/number";
import { OUTCOME_WORDS, formatTask } from "@/lib/core/format/words";
import type { ClusterMember, ClusterPage, MemberGroup } from "@/lib/pages/clusters/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import { writeTrialsList } from "@/lib/pages/trials/address";

import { nameSlots } from "./cluster-words";

const MOST_SLOTS = 6;
const MOST_SHOWN = 48;

const GROUP_WORDS: Readonly<Record<MemberGroup["kind"], string>> = {
  pattern: "More than the values differ",
  values: "Different values",
  same: "Same as the example",
};

interface MemberLine {
  readonly kind: MemberGroup["kind"];
  readonly n: number;
  readonly member: ClusterMember;
}

export function ClusterMembers({
  page: { groups, pattern, cluster },
  identityOf,
}: {
  page: ClusterPage;
  identityOf: (agent: string, model: string | null) => number;
}) {
  const members = groups.flatMap((group) => group.members);
  const slots = nameSlots(pattern.filter((_, at) => at % 2 === 1))
    .map((name, at) => ({ name, at }))
    // Values equal in all members add nothing.
    .filter(({ at }) => members.some(({ different }) => different.has(at)))
    .slice(0, MOST_SLOTS);
  const list = writeTrialsList({ isOfAllJobs: true, clusters: [cluster.key] });
  const lines = groups.flatMap(({ kind, members: own }) =>
    own.map((member) => ({ kind, n: own.length, member })),
  );
  const shown = lines.slice(0, LIST_ROWS);
  return (
    <Section
      title="Members"
      note={slots.length === 0 ? undefined : "underlined where a value differs from the example"}
    >
      <CutNote shown={shown.length} total={members.length}>
        See the list of trials for all.
      </CutNote>
      <DataTable<MemberLine>
        caption="Members"
        className="table-compact"
        columns={[
          column(
            "Trial",
            ({ member }) => (
              <span className="row">
                <Mark status={member.outcome} label={OUTCOME_WORDS[member.outcome]} />
                <Link href={trialPageHref(member.jobKey, member.key, { list })} data-row-link="">
                  {formatTask(member)}, attempt {member.attempt}
                </Link>
                <span className="muted">{member.jobName}</span>
              </span>
            ),
            { className: "name" },
          ),
          column("Agent", ({ member: { agent, model } }) => (
            <AgentName identity={identityOf(agent, model)} agent={agent} model={model} />
          )),
          ...slots.map(slotColumn),
          column("Reward", ({ member }) => member.rewardText ?? <Unknown />, { numeric: true }),
        ]}
        rows={shown}
        rowKey={({ member }) => `${member.jobKey}/${member.key}`}
        heading={({ kind, n }, at) =>
          kind === shown[at - 1]?.kind ? null : (
            <>
              {GROUP_WORDS[kind]} <span className="muted">{formatCount(n)}</span>
            </>
          )
        }
      />
    </Section>
  );
}

function slotColumn({ name, at }: { name: string; at: number }): DataColumn<MemberLine> {
  return {
    id: `slot-${String(at)}`,
    header: name,
    meta: { className: "cluster-value" },
    attributes: ({ member }) => ({ title: member.values?.[at] }),
    cell: ({ member: { values, different } }) => {
      const value = values?.[at];
      if (value === undefined) return <Unknown />;
      const text = value.length <= MOST_SHOWN ? value : `${value.slice(0, MOST_SHOWN - 1).toWellFormed()}…`;
      return different.has(at) ? <b>{text}</b> : <span className="muted">{text}</span>;
    },
  };
}
