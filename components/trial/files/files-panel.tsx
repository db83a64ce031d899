import { CornerUpRight, File, FileQuestion, Folder } from "lucide-react";

import { CopyButton } from "@/components/ui/copy-button";
import { DataTable } from "@/components/ui/data-table";
import { Notice } from "@/components/ui/notice";
import { ShowAll } from "@/components/ui/show-all";
import { Link } from "@/components/ui/link";
import type { DataColumn } from "@/components/ui/table-columns";
import { artifactHref, openTrialHref, type OpenTrial, type TrialTab } from "@/lib/addresses/trial";
import type { ArtifactEntry, TrialFileEntry, TextBlock, TrialFileView } from "@/lib/domain/trial-file";
import { formatBytes, MISSING, formatPlural } from "@/lib/format/number";
import type { FilesPanel as FilesPanelData } from "@/lib/trial-reading";

import { TextLines } from "../trajectory/text-lines";
import { WrapSwitch } from "../wrap-switch";
import { ScrollTo } from "../scroll-to";

import "./files.css";

/** Of a level of the tree; deeper ones stand below one another. */
const INDENT_PX = 20;
const MOST_INDENTS = 5;

const ICONS = {
  file: File,
  folder: Folder,
  link: CornerUpRight,
  garbled: FileQuestion,
  other: FileQuestion,
} as const;

/** All files of a trial as a tree, and the one that is open below it. */
export function FilesPanel({ panel, place }: { panel: FilesPanelData; place: FilePlace }) {
  if (panel.entries.length === 0) {
    return (
      <Notice title="No files here">
        This trial is known only from the job&apos;s files: its folder was deleted, or the job stopped before
        it began.
      </Notice>
    );
  }
  return (
    <>
      <ul
        className={panel.view === null ? "file-tree" : "file-tree file-tree-beside"}
        aria-label="Files of the trial"
      >
        {panel.entries.map((entry) => (
          <li
            key={`${entry.kind} ${entry.path}`}
            style={{ paddingLeft: INDENT_PX * Math.min(entry.depth, MOST_INDENTS) }}
          >
            <FileRow entry={entry} place={place} isOpen={panel.view?.path === entry.path} />
          </li>
        ))}
      </ul>
      {panel.cutNote === null ? null : <p className="caption">{panel.cutNote}</p>}
      {panel.view === null ? null : <FileView view={panel.view} place={place} />}
      {panel.view !== null || panel.artifacts === null || panel.artifacts.length === 0 ? null : (
        <section>
          <h3>Artifacts, from {MANIFEST}</h3>
          <DataTable
            caption="Artifacts"
            className="table-compact"
            columns={ARTIFACT_COLUMNS}
            rows={panel.artifacts}
            rowKey={(_, at) => at}
          />
          {panel.isManifestCut ? (
            <ShowAll href={artifactHref(place.jobKey, place.trialKey, MANIFEST)} file={MANIFEST} />
          ) : null}
        </section>
      )}
    </>
  );
}

const MANIFEST = "artifacts/manifest.json";
const ARTIFACT_FIELDS = [
  ["source", "Collected from"],
  ["destination", "Into"],
  ["type", "Type"],
  ["status", "Status"],
] as const;
const ARTIFACT_COLUMNS: readonly DataColumn<ArtifactEntry>[] = ARTIFACT_FIELDS.map(([id, header]) => ({
  id,
  header,
  cell: (artifact) => artifact[id] ?? <span className="unknown">{MISSING}</span>,
  meta: { className: "wrap" },
}));

function FileRow({ entry, place, isOpen }: { entry: TrialFileEntry; place: FilePlace; isOpen: boolean }) {
  const Icon = ICONS[entry.kind];
  const name = entry.path.split("/").at(-1) ?? entry.path;
  if (entry.kind !== "file") {
    return (
      <span className="row file-row muted">
        <Icon size={14} strokeWidth={1.5} aria-hidden />
        <span className="cut grow">{name}</span>
        {entry.kind === "link" ? <span className="caption">link, followed only inside the trial</span> : null}
        {entry.kind === "garbled" ? (
          <span className="caption">its name is not valid text: rename it to open it</span>
        ) : null}
      </span>
    );
  }
  return (
    <Link
      className="row file-row"
      href={openTrialHref(place, { tab: place.tab, file: entry.path })}
      mode="stay"
      data-row-link=""
      aria-current={isOpen ? "true" : undefined}
    >
      <Icon size={14} strokeWidth={1.5} aria-hidden />
      <span className="cut grow">{name}</span>
      <span className="muted nowrap">{entry.sizeBytes === null ? "" : formatBytes(entry.sizeBytes)}</span>
    </Link>
  );
}

/** Some files of a trial as a row of choices, and the one that is open. */
export function ChosenFiles({
  panel,
  place,
  none,
}: {
  panel: FilesPanelData;
  place: FilePlace;
  none: string;
}) {
  if (panel.view === null)
    return <Notice title={none}>The Files tab lists everything in the trial folder.</Notice>;
  return (
    <>
      <nav className="file-choices" aria-label="Files of this tab">
        {panel.entries.map((entry) => (
          <Link
            key={entry.path}
            href={openTrialHref(place, { tab: place.tab, file: entry.path })}
            mode="stay"
            aria-current={panel.view?.path === entry.path ? "true" : undefined}
          >
            {entry.path}
            {entry.sizeBytes === 0 ? <span className="muted"> empty</span> : null}
          </Link>
        ))}
      </nav>
      <FileView view={panel.view} place={place} />
    </>
  );
}

/** Where a file's links lead. */
export interface FilePlace extends OpenTrial {
  readonly tab: TrialTab;
  readonly end: "start" | "end";
  /** Line to bring into view, from 1; null for none. */
  readonly line: number | null;
}

/** One open file: its name and size, what can be done with it, and its content as plain text or a proved image. */
function FileView({ view, place }: { view: TrialFileView; place: FilePlace }) {
  const { jobKey, trialKey, tab } = place;
  const href = artifactHref(jobKey, trialKey, view.path);
  const end = place.end === "start" ? "end" : "start";
  if (view.kind === "problem") {
    return (
      <Notice title="This file cannot be shown" tone="error" code={`${view.issue.code}: ${view.path}`}>
        {view.issue.detail} Files outside the trial folder are never opened. Choose another file.
      </Notice>
    );
  }
  return (
    <section className="file-view" aria-label={view.path}>
      <div className="file-head">
        <code className="cut grow" title={view.path}>
          {view.path}
        </code>
        <span className="muted nowrap">{describeSize(view)}</span>
        {view.kind === "text" && view.text.cutNote !== null ? (
          <Link
            className="button button-bare"
            href={openTrialHref(place, { tab, file: view.path, end })}
            mode="stay"
          >
            Read from the {end}
          </Link>
        ) : null}
        {view.kind === "text" ? <WrapSwitch /> : null}
        {view.kind === "text" ? (
          <a
            className="button button-bare"
            href={artifactHref(jobKey, trialKey, view.path, true)}
            target="_blank"
            rel="noreferrer"
          >
            Raw
          </a>
        ) : null}
        <a className="button button-bare" href={href} download>
          Download
        </a>
        <CopyButton text={view.path} label="Copy path" />
      </div>
      {view.kind === "text" ? <TextBody view={view} place={place} /> : null}
      {view.kind === "binary" ? (
        <Notice title="Not a text file">This file is binary. Download it to look inside.</Notice>
      ) : null}
      {view.kind === "image" ? (
        // eslint-disable-next-line @next/next/no-img-element -- the optimiser would fetch and rewrite evidence
        <img className="file-image" src={href} alt={view.path} />
      ) : null}
    </section>
  );
}

function describeSize(view: Exclude<TrialFileView, { kind: "problem" }>): string {
  const size = formatBytes(view.sizeBytes);
  return view.kind === "text" && view.text.cutNote === null
    ? `${formatPlural(view.text.totalLines, "line")}, ${size}`
    : size;
}

function TextBody({
  view: { text },
  place,
}: {
  view: Extract<TrialFileView, { kind: "text" }>;
  place: FilePlace;
}) {
  if (text.lines.length === 0)
    return <p className="muted file-empty">The file is empty. Empty logs are common.</p>;
  const at = findLine(text, place);
  return (
    <>
      {text.cutNote === null ? null : <p className="caption file-cut">{text.cutNote}</p>}
      <pre className="file-text" tabIndex={0}>
        {at === null ? (
          <TextLines lines={text.lines} reading="output" />
        ) : (
          <>
            <TextLines lines={text.lines.slice(0, at)} reading="output" />
            <mark id={SOUGHT_LINE} className="file-line">
              <TextLines lines={text.lines.slice(at, at + 1)} reading="output" />
            </mark>
            <TextLines lines={text.lines.slice(at + 1)} reading="output" />
            <ScrollTo id={SOUGHT_LINE} block="center" focus="pre" />
          </>
        )}
      </pre>
    </>
  );
}

const SOUGHT_LINE = "sought-line";

/** Index of the line that is asked for; of the end of a file whose beginning is not read, where its last traceback begins. */
function findLine({ lines, cutNote }: TextBlock, { line, end }: FilePlace): number | null {
  if (cutNote === null || end === "start") return line === null || line > lines.length ? null : line - 1;
  const at = lines.findLastIndex(
    (one) => typeof one === "string" && one.startsWith("Traceback (most recent"),
  );
  return at === -1 || line === null ? null : at;
}
