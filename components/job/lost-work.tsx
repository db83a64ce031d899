import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { Unknown } from "@/components/ui/values";
import type { LostPart } from "@/lib/core/domain/lost-part";
import { explainLost, formatLostCost, LOST_WORDS } from "@/lib/core/format/lost-words";
import { formatCount } from "@/lib/core/format/number";

export function JobLostWork({ parts }: { parts: readonly LostPart[] }) {
  return parts.length === 0 ? null : (
    <Section title="Lost work" note="Retried, cancelled, missing, or not what result.json says">
      <Table
        caption="Lost work of this job"
        columns={[
          { id: "kind", label: "Work" },
          { id: "count", label: "Count", numeric: true },
          {
            id: "cost",
            label: "Cost, $",
            numeric: true,
            title: "What went into it, as far as files state it",
          },
          { id: "evidence", label: "What is known" },
        ]}
      >
        <tbody>
          {parts.map((part) => (
            <tr key={part.kind}>
              <th scope="row" className="name">
                {LOST_WORDS[part.kind]}
              </th>
              <td className="numeric">{formatCount(part.n)}</td>
              <td className="numeric">
                {part.costUsd === null ? <Unknown title="No file states its cost" /> : formatLostCost(part)}
              </td>
              <td className="wrap">{explainLost(part)}.</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
