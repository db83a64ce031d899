import { formatBytes, formatPlural } from "@/lib/core/format/number";
import type { DiffLine, DiffRow, FileComparison } from "@/lib/read/trial-reading";

import { TextLines } from "../trial/trajectory/text-lines";

import "./file-diff.css";

export function FileDiff({
  comparison: { diff, notes, sizes },
}: {
  comparison: Extract<FileComparison, { readonly kind: "text" }>;
}) {
  const { rows, nDiffering } = diff;
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="caption">
          {note}
        </p>
      ))}
      <table className="file-diff">
        <caption className="screen-reader">Lines of both files, those of A on the left</caption>
        <colgroup>
          <col className="diff-number" />
          <col />
          <col className="diff-number" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th colSpan={2} scope="col">
              A <span className="muted">{describeSide(nDiffering.a, sizes.a)}</span>
            </th>
            <th colSpan={2} scope="col">
              B <span className="muted">{describeSide(nDiffering.b, sizes.b)}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Row key={at} row={row} />
          ))}
        </tbody>
      </table>
      <p className="caption">
        Bold and underlined: the part of a line that differs. Hatched: no line on this side.
      </p>
    </>
  );
}

function describeSide(nDiffering: number, sizeBytes: number): string {
  return `${formatPlural(nDiffering, "differing line")}, ${formatBytes(sizeBytes)}`;
}

function Row({ row }: { row: DiffRow }) {
  if (row.kind === "fold") {
    return (
      <tr className="diff-fold">
        <td colSpan={4}>{formatPlural(row.count, "equal line")}</td>
      </tr>
    );
  }
  return (
    <tr className={row.kind === "same" ? undefined : "diff-differs"}>
      <Side line={row.a} />
      <Side line={row.b} />
    </tr>
  );
}

function Side({ line }: { line: DiffLine | null }) {
  if (line === null) return <td colSpan={2} className="diff-none" aria-label="No line" />;
  return (
    <>
      <td className="diff-number">{line.number}</td>
      <td className="diff-text">
        <LineText line={line} />
      </td>
    </>
  );
}

function LineText({ line: { text, mark } }: { line: DiffLine }) {
  if (mark === null || typeof text !== "string") return <TextLines lines={[text]} />;
  return (
    <>
      {text.slice(0, mark.from)}
      <em>{text.slice(mark.from, mark.to)}</em>
      {text.slice(mark.to)}
    </>
  );
}
