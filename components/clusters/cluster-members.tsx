import { AgentName } from "@/components/ui/agent-name";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/page-title";
import { type Column, Table } from "@/components/ui/table";
import { Unknown } from "@/components/ui/values";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount } from "@/lib/core/format/number";
import { OUTCOME_WORDS } from "@/lib/core/format/words";
import type { ClusterMember, ClusterPage, MemberGroup } from "@/lib/pages/clusters/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import { writeTrialsList } from "@/lib/pages/trials/address";

import { nameSlots } from "./cluster-words";

const MOST_SLOTS = 6;
const MOST_SHOWN = 48;

const GROUP_WORDS: Readonly<Record<MemberGroup["kind"], string>> = {
  pattern: "Different in more than the values",
  values: "Different values",
  same: "Same as the example",
};

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
  const columns: readonly Column[] = [
    { id: "trial", label: "Trial" },
    { id: "agent", label: "Agent" },
    ...slots.map(({ name, at }) => ({ id: `slot-${String(at)}`, label: name })),
    { id: "reward", label: "Reward", numeric: true },
  ];
  const list = writeTrialsList({ isOfAllJobs: true, clusters: [cluster.key] });
  const shown = new Set(members.slice(0, LIST_ROWS));
  return (
    <Section
      title="Members"
      note={slots.length === 0 ? undefined : "underlined where a value differs from the example"}
    >
      <CutNote shown={shown.size} total={members.length}>
        The list of trials has all.
      </CutNote>
      <Table caption="Members" columns={columns} compact className="cluster-members">
        {groups.map(({ kind, members: own }) => (
          <tbody key={kind}>
            {own.some((member) => shown.has(member)) ? (
              <tr>
                <th scope="rowgroup" colSpan={columns.length}>
                  {GROUP_WORDS[kind]} <span className="muted">{formatCount(own.length)}</span>
                </th>
              </tr>
            ) : null}
            {own
              .filter((member) => shown.has(member))
              .map((member) => (
                <tr key={`${member.jobKey}/${member.key}`}>
                  <td className="name">
                    <span className="row">
                      <Mark status={member.outcome} label={OUTCOME_WORDS[member.outcome]} />
                      <Link href={trialPageHref(member.jobKey, member.key, { list })} data-row-link="">
                        {member.taskName}, attempt {member.attempt}
                      </Link>
                      <span className="muted">{member.jobName}</span>
                    </span>
                  </td>
                  <td>
                    <AgentName
                      identity={identityOf(member.agent, member.model)}
                      agent={member.agent}
                      model={member.model}
                    />
                  </td>
                  {slots.map(({ at }) => (
                    <SlotCell key={at} member={member} at={at} />
                  ))}
                  <td className="numeric">{member.rewardText ?? <Unknown />}</td>
                </tr>
              ))}
          </tbody>
        ))}
      </Table>
    </Section>
  );
}

function SlotCell({ member: { values, different }, at }: { member: ClusterMember; at: number }) {
  const value = values?.[at];
  if (value === undefined)
    return (
      <td>
        <Unknown />
      </td>
    );
  const text = value.length <= MOST_SHOWN ? value : `${value.slice(0, MOST_SHOWN - 1).toWellFormed()}…`;
  return (
    <td className="cluster-value" title={value}>
      {different.has(at) ? <b>{text}</b> : <span className="muted">{text}</span>}
    </td>
  );
}
