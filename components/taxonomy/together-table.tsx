import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { formatCount } from "@/lib/core/format/number";
import type { TaxonomyPage } from "@/lib/pages/taxonomy/page";

import { nameCategory, SOURCE_WORDS } from "./taxonomy-words";

export function TogetherTable({ page: { together, scanners } }: { page: TaxonomyPage }) {
  return (
    <Section title="What stands together" note="More often than chance, over trials that did not pass">
      {together.length === 0 ? (
        <p className="muted">
          No class of failures stands with a tag of another source more often than chance would have it.
        </p>
      ) : (
        <Table
          caption="What stands together"
          compact
          columns={[
            { id: "class", label: "Class" },
            { id: "category", label: "Stands with" },
            { id: "source", label: "Source" },
            { id: "both", label: "Trials", numeric: true },
            { id: "share", label: "% of class", numeric: true },
            {
              id: "expected",
              label: "Expected",
              numeric: true,
              title: "Trials that chance alone would give",
            },
          ]}
        >
          <tbody>
            {together.map(({ failureClass, source, category, nBoth, share, expected, nOfClass }) => (
              <tr key={`${failureClass} ${source} ${category}`}>
                <td>{nameCategory("rule", failureClass, scanners)}</td>
                <td className="wrap">{nameCategory(source, category, scanners)}</td>
                <td>{SOURCE_WORDS[source]}</td>
                <td className="numeric">{formatCount(nBoth)}</td>
                <td className="numeric" title={`of ${formatCount(nOfClass)} trials of the class`}>
                  {(share * 100).toFixed(1)}
                </td>
                <td className="numeric">{expected.toFixed(1)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}
