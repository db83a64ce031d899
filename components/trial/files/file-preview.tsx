import { Preformatted } from "@/components/ui/preformatted";
import { Table } from "@/components/ui/table";
import type { FilePreview as FilePreviewData, JsonRecord, TableRow } from "@/lib/core/domain/file-preview";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";

import { JsonTree } from "../json-tree";
import { TextLines } from "../trajectory/text-lines";
import { RecordingPlayer } from "./recording-player";

import "./file-preview.css";

export function FilePreview({ preview }: { preview: FilePreviewData }) {
  switch (preview.kind) {
    case "json":
      return (
        <div className="json-tree" role="region" aria-label="JSON tree" tabIndex={0}>
          <JsonTree node={preview.root} levels={1} rest="which Text shows" />
        </div>
      );
    case "records":
      return <Records records={preview.records} />;
    case "table":
      return <TablePreview preview={preview} />;
    case "notebook":
      return <Notebook preview={preview} />;
    case "recording":
      return <RecordingPlayer recording={preview.recording} />;
  }
}

function Records({ records }: { records: readonly JsonRecord[] }) {
  return (
    <div className="json-tree" role="region" aria-label="Records" tabIndex={0}>
      <ol className="json-records">
        {records.map(({ line, node, problem }, index) => (
          <li key={line ?? index}>
            <span className="json-line">{line}</span>
            {node === null ? null : (
              <JsonTree node={node} levels={records.length === 1 ? 1 : 0} rest="which Text shows" />
            )}
            {problem === null ? null : (
              <div>
                <span className="tone-failure">Not JSON: {problem.reason}.</span>
                <Preformatted className="json-text">{problem.text}</Preformatted>
              </div>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function TablePreview({
  preview: { header, nColumns, rows },
}: {
  preview: Extract<FilePreviewData, { kind: "table" }>;
}) {
  const nUneven = rows.filter(({ nCells }) => nCells !== nColumns).length;
  const columns = [
    { id: "line", label: "Line", numeric: true },
    ...header.map((label, index) => ({ id: String(index), label: label === "" ? MISSING : label })),
  ];
  return (
    <>
      {nColumns > header.length ? (
        <p className="caption">
          The first {formatCount(header.length)} of {formatCount(nColumns)} columns.
        </p>
      ) : null}
      {nUneven === 0 ? null : (
        <p className="caption">
          {formatPlural(nUneven, "row")} with more or fewer cells than the header has columns.
        </p>
      )}
      <Table caption="Rows of the file" compact className="file-table" columns={columns}>
        <tbody>
          {rows.map((row, index) => (
            <Row key={row.line ?? index} row={row} nColumns={header.length} />
          ))}
        </tbody>
      </Table>
    </>
  );
}

function Row({ row: { line, cells }, nColumns }: { row: TableRow; nColumns: number }) {
  return (
    <tr>
      <td className="numeric muted">{line ?? MISSING}</td>
      {Array.from({ length: Math.max(nColumns, cells.length) }, (_, index) => (
        <td key={index} className={cells[index] === undefined ? "file-no-cell" : undefined}>
          {cells[index]}
        </td>
      ))}
    </tr>
  );
}

function Notebook({
  preview: { cells, nCells },
}: {
  preview: Extract<FilePreviewData, { kind: "notebook" }>;
}) {
  return (
    <>
      {nCells > cells.length ? (
        <p className="caption">
          The first {formatCount(cells.length)} of {formatCount(nCells)} cells.
        </p>
      ) : null}
      <ol className="notebook">
        {cells.map(({ kind, count, source, outputs }, at) => (
          <li key={at} className={`notebook-${kind}`}>
            <span className="caption">{kind === "code" ? `In ${count === null ? "" : count}` : kind}</span>
            <div>
              <Preformatted className="file-text" tabIndex={0}>
                <TextLines lines={source.lines} />
              </Preformatted>
              <Cut note={source.cutNote} />
              {outputs.map((output, index) =>
                output.kind === "left-out" ? (
                  <p key={index} className="caption">
                    Output not shown: {output.types.join(", ") || "of no known type"}.
                  </p>
                ) : (
                  <div key={index} className="notebook-output">
                    <Preformatted className="file-text" tabIndex={0}>
                      <TextLines lines={output.text.lines} reading="output" />
                    </Preformatted>
                    <Cut note={output.text.cutNote} />
                  </div>
                ),
              )}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

function Cut({ note }: { note: string | null }) {
  return note === null ? null : <p className="caption">{note}</p>;
}
