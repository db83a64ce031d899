"use client";

import { useRouter } from "next/navigation";

import { ForAction } from "@/components/shell/account-context";
import { announce } from "@/components/shell/announcer";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { ShownTagImport } from "@/lib/pages/annotations/import";
import { undoTagImportAction } from "@/lib/pages/annotations/import-actions";

/** Limit of listed imports, and of tools named in one. */
const MOST_IMPORTS = 50;
const MOST_SOURCES = 10;

const COLUMNS: readonly DataColumn<ShownTagImport>[] = [
  column(
    "Tools",
    ({ sources }) =>
      sources.slice(0, MOST_SOURCES).join(", ") +
      (sources.length > MOST_SOURCES
        ? ` and ${formatPlural(sources.length - MOST_SOURCES, "more tool")}`
        : ""),
    { className: "wrap" },
  ),
  column("Tags", ({ nTags }) => formatCount(nTags), { numeric: true }),
  column("Imported", ({ author, at }) => (
    <>
      {author === "" ? null : `${author}, `}
      <TimeText time={at} />
    </>
  )),
  {
    id: "undo",
    header: <span className="screen-reader">Undo</span>,
    cell: (one) =>
      one.mayUndo ? (
        <ForAction action="undoTagImportAction">
          <UndoButton of={one} />
        </ForAction>
      ) : null,
  },
];

export function TagImports({ imports }: { imports: readonly ShownTagImport[] }) {
  if (imports.length === 0) return null;
  return (
    <Section title="Imported tags" note="Undo an import as a whole, in the browser that made it">
      <DataTable
        caption="Imports of tags"
        columns={COLUMNS}
        rows={imports.slice(0, MOST_IMPORTS)}
        rowKey={({ importId }) => importId}
      />
      {imports.length > MOST_IMPORTS ? (
        <p className="caption">
          {MOST_IMPORTS} of {formatCount(imports.length)} imports shown.
        </p>
      ) : null}
    </Section>
  );
}

function UndoButton({ of: { importId, nTags } }: { of: ShownTagImport }) {
  const router = useRouter();
  const { isPending, run } = useAction({ isAnnounced: true });
  return (
    <Button
      look="bare"
      disabled={isPending}
      aria-label={`Undo the import of ${formatPlural(nTags, "tag")}`}
      onClick={() =>
        run(
          () => undoTagImportAction(importId),
          () => {
            announce("Import undone. Its tags no longer count.");
            router.refresh();
          },
        )
      }
    >
      Undo
    </Button>
  );
}
