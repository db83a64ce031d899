import { CopyButton } from "@/components/ui/copy-button";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Preformatted } from "@/components/ui/preformatted";
import { Segment } from "@/components/ui/segment";
import { type DataColumn, column } from "@/components/ui/table-columns";
import { withBasePath } from "@/lib/core/domain/base-path";
import type {
  FilePreview as FilePreviewData,
  FileWindow,
  JsonRecord,
  TableRow,
} from "@/lib/core/domain/file-preview";
import type { FileContent, FileForm, TextWindow, TrialFileView } from "@/lib/core/domain/file-view";
import { MISSING, formatBytes, formatCount, formatPlural } from "@/lib/core/format/number";
import { type TrialParams, fileHref, openArtifactHref } from "@/lib/pages/trial/address";

import { JsonTree } from "../json-tree";
import { CutText, TextLines } from "../trajectory/text-lines";
import { GoTo, ScrollTo, WrapSwitch } from "../trial-controls";
import type { ShownTrial } from "../trial-parts";
import { RecordingPlayer } from "./recording-player";

import "./files.css";

type OpenFile = Extract<TrialFileView, { kind: "file" }>;

const FORM_NAMES: Readonly<Record<FileForm, string>> = { preview: "Preview", text: "Text", hex: "Hex" };

export function FileView({ view, page }: { view: TrialFileView; page: ShownTrial }) {
  if (view.kind === "problem") {
    return (
      <Notice title="This file cannot be shown" tone="error" code={`${view.issue.code}: ${view.path}`}>
        {view.issue.detail} Files outside the trial folder are never opened. Choose another file.
      </Notice>
    );
  }
  const window = findWindow(view.content);
  return (
    <section className="file-view" aria-label={view.path} data-evidence="artifact" data-place={view.path}>
      <FileHead view={view} page={page} />
      {view.note === null ? null : <p className="caption file-note">{view.note}</p>}
      {window === null ? null : <FileWindowNav view={view} window={window} page={page} />}
      <Content view={view} page={page} />
    </section>
  );
}

function findWindow(content: FileContent): FileWindow | null {
  if (content.kind === "text") return content.text;
  if (content.kind === "preview") return "window" in content.preview ? content.preview.window : null;
  return content.kind === "hex" ? content.hex : null;
}

function FileHead({ view: { path, sizeBytes, forms, form }, page }: { view: OpenFile; page: ShownTrial }) {
  return (
    <div className="flow file-head">
      <code className="cut grow" title={path}>
        {path}
      </code>
      <span className="muted nowrap">{formatBytes(sizeBytes)}</span>
      {forms.length < 2 || sizeBytes === 0 ? null : (
        <Segment
          label="Shown as"
          value={form}
          options={forms.map((one) => ({ value: one, label: FORM_NAMES[one] }))}
          hrefOf={(one) => fileHref(page.at, page.search, { file: path, form: one })}
          mode="stay"
        />
      )}
      {form === "text" ? <WrapSwitch /> : null}
      {forms.includes("text") ? (
        <a
          className="button button-bare"
          href={bytesHref(page, path, "text")}
          target="_blank"
          rel="noreferrer"
          title="The whole file in a new tab, as plain text"
        >
          Raw
        </a>
      ) : null}
      <a className="button button-bare" href={bytesHref(page, path, "file")} download>
        Download
      </a>
      <CopyButton text={path} label="Copy path" />
    </div>
  );
}

function bytesHref({ at, search }: ShownTrial, file: string, as?: "text" | "file"): string {
  return withBasePath(openArtifactHref(at, file, { as, attempt: search.attempt }));
}

function Content({ view: { path, sizeBytes, content }, page }: { view: OpenFile; page: ShownTrial }) {
  if (sizeBytes === 0) return <p className="muted file-empty">The file is empty.</p>;
  switch (content.kind) {
    case "text":
      return <FileText content={content} />;
    case "preview":
      return <FilePreview preview={content.preview} />;
    case "hex":
      return (
        <pre className="file-text file-hex" tabIndex={0}>
          {content.hex.rows.join("\n")}
        </pre>
      );
    case "image":
      return (
        // oxlint-disable-next-line nextjs/no-img-element -- the optimiser would fetch and rewrite evidence
        <img className="file-image" src={bytesHref(page, path)} alt={path} />
      );
    case "audio":
    case "video": {
      const Player = content.kind;
      // Loads nothing before playback, then in parts.
      return (
        <Player
          className="file-media"
          src={bytesHref(page, path)}
          controls
          preload="none"
          aria-label={path}
        />
      );
    }
    case "closed":
      return <Notice title={`This is ${content.what}`}>Download it, or see its bytes under Hex.</Notice>;
  }
}

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
                <Preformatted className="pre-wrap json-text">{problem.text}</Preformatted>
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
  const width = Math.max(header.length, ...rows.map(({ cells }) => cells.length));
  const columns: readonly DataColumn<TableRow>[] = [
    column("Line", ({ line }) => line ?? MISSING, { numeric: true, className: "muted" }),
    ...Array.from({ length: width }, (_, at): DataColumn<TableRow> => ({
      id: String(at),
      header: header[at] === "" ? MISSING : header[at],
      attributes: ({ cells }) => ({ className: cells[at] === undefined ? "file-no-cell" : undefined }),
      cell: ({ cells }) => cells[at],
    })),
  ];
  return (
    <>
      <CutNote shown={header.length} total={nColumns} noun="columns" />
      {nUneven === 0 ? null : (
        <p className="caption">
          {formatPlural(nUneven, "row")} with more or fewer cells than the header has columns.
        </p>
      )}
      <DataTable
        caption="Rows of the file"
        className="table-compact file-table"
        columns={columns}
        rows={rows}
        rowKey={({ line }, index) => line ?? index}
      />
    </>
  );
}

function Notebook({
  preview: { cells, nCells },
}: {
  preview: Extract<FilePreviewData, { kind: "notebook" }>;
}) {
  return (
    <>
      <CutNote shown={cells.length} total={nCells} noun="cells" />
      <ol className="notebook">
        {cells.map(({ kind, count, source, outputs }, at) => (
          <li key={at} className={`notebook-${kind}`}>
            <span className="caption">{kind === "code" ? `In ${count === null ? "" : count}` : kind}</span>
            <div>
              <CutText text={source} className="file-text" />
              {outputs.map((output, index) =>
                output.kind === "left-out" ? (
                  <p key={index} className="caption">
                    Output not shown: {output.types.join(", ") || "of no known type"}.
                  </p>
                ) : (
                  <div key={index} className="notebook-output">
                    <CutText text={output.text} className="file-text" reading="output" />
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

const SOUGHT_LINE = "sought-line";

function FileText({ content: { text, sought } }: { content: Extract<FileContent, { kind: "text" }> }) {
  const { lines } = text;
  return (
    <div className="file-lines">
      <pre className="file-text" tabIndex={0}>
        <span className="file-numbers" aria-hidden>
          {writeNumbers(text)}
        </span>
        <code data-line={text.firstLine ?? undefined}>
          {sought === null ? (
            <TextLines lines={lines} reading="output" />
          ) : (
            <>
              <TextLines lines={lines.slice(0, sought)} reading="output" />
              <mark id={SOUGHT_LINE} className="file-line">
                <TextLines lines={lines.slice(sought, sought + 1)} reading="output" />
              </mark>
              <TextLines lines={lines.slice(sought + 1)} reading="output" />
            </>
          )}
        </code>
      </pre>
      {sought === null ? null : <ScrollTo id={SOUGHT_LINE} block="center" focus="pre" />}
    </div>
  );
}

function writeNumbers({ lines, goesOn, firstLine }: Extract<FileContent, { kind: "text" }>["text"]): string {
  if (firstLine === null) return "";
  const inside = new Set(goesOn);
  let line = inside.has(0) ? firstLine : firstLine - 1;
  return lines.map((_, row) => (inside.has(row) ? "" : String(++line))).join("\n");
}

/** Table rows are only found by reading from the start. */
const ONE_WAY: ReadonlySet<string> = new Set(["Start", "Later"]);

function FileWindowNav({
  view: { path, sizeBytes, form, content },
  window: { fromByte, toByte },
  page: { at, search },
}: {
  view: Extract<TrialFileView, { kind: "file" }>;
  window: FileWindow;
  page: ShownTrial;
}) {
  const hrefOf = (part: Partial<TrialParams>) => fileHref(at, search, { file: path, form, ...part });
  const isStart = fromByte === 0;
  const isEnd = toByte >= sizeBytes;
  const isAll = isStart && isEnd;
  const isOneWay = content.kind === "preview" && content.preview.kind === "table";
  const links = [
    ["Start", isStart, { from: 0 }],
    ["Earlier", isStart, { from: fromByte, end: "end" }],
    ["Later", isEnd, { from: toByte }],
    ["End", isEnd, { end: "end" }],
  ] as const;
  return (
    <div className="flow file-window">
      <span className="muted">
        {[isAll ? "" : describeBytes(fromByte, toByte, sizeBytes), describeRows(content, isAll)]
          .filter((part) => part !== "")
          .join(", ")}
      </span>
      {isAll ? null : (
        <nav className="row" aria-label="Parts of the file">
          {links
            .filter(([label]) => !isOneWay || ONE_WAY.has(label))
            .map(([label, isHere, part]) =>
              isHere ? (
                <span key={label} className="muted" aria-disabled="true">
                  {label}
                </span>
              ) : (
                <Link key={label} href={hrefOf(part)} mode="stay">
                  {label}
                </Link>
              ),
            )}
        </nav>
      )}
      {content.kind === "text" ? <GoTo what="line" /> : null}
    </div>
  );
}

/** Exact if rounding would make both ends equal. */
function describeBytes(from: number, to: number, size: number): string {
  const [first, last] = [formatBytes(from), formatBytes(to)];
  return first === last
    ? `Bytes ${formatCount(from)} to ${formatCount(to)} of ${formatBytes(size)}`
    : `${first} to ${last} of ${formatBytes(size)}`;
}

function describeRows(content: FileContent, isAll: boolean): string {
  if (content.kind === "preview" && content.preview.kind === "table")
    return formatPlural(content.preview.rows.length, "row");
  if (content.kind === "preview" && content.preview.kind === "records")
    return formatPlural(content.preview.records.length, "record");
  if (content.kind !== "text" || content.text.lines.length === 0) return "";
  const { firstLine } = content.text;
  if (firstLine === null) return "too far from the start to count lines";
  const last = countLast(content.text, firstLine);
  if (isAll) return formatPlural(last, "line");
  if (last === firstLine) return `line ${formatCount(last)}`;
  return `lines ${formatCount(firstLine)} to ${formatCount(last)}`;
}

function countLast({ lines, goesOn }: TextWindow, firstLine: number): number {
  const nBegun = lines.length - goesOn.length;
  return firstLine + nBegun - (goesOn.includes(0) ? 0 : 1);
}
