import { CornerUpRight, File, FileQuestion, Folder } from "lucide-react";

import { artifactHref, trialPageHref } from "@/lib/addresses/trial";
import { Notice } from "@/components/ui/notice";
import { ShowAll } from "@/components/ui/show-all";
import { SoftLink } from "@/components/ui/soft-link";
import { Table } from "@/components/ui/table";
import type { ArtifactEntry, TrialFileEntry } from "@/lib/domain/trial-file";
import { formatBytes, MISSING } from "@/lib/format/number";
import type { FilesPanel as FilesPanelData } from "@/lib/trial-reading";

import { FileView, type FilePlace } from "./file-view";

const ICONS = {
  file: File,
  folder: Folder,
  link: CornerUpRight,
  garbled: FileQuestion,
  other: FileQuestion,
} as const;

/** All files of a trial as a tree, and the one that is open below it. */
export function FilesPanel({ panel, place }: { panel: FilesPanelData; place: FilePlace }) {
  if (panel.entries.length === 0) return <NoFiles />;
  return (
    <>
      <ul
        className={panel.view === null ? "file-tree" : "file-tree file-tree-beside"}
        aria-label="Files of the trial"
      >
        {panel.entries.map((entry) => (
          <li key={`${entry.kind} ${entry.path}`} className={`file-depth-${Math.min(entry.depth, 6)}`}>
            <FileRow entry={entry} place={place} isOpen={panel.view?.path === entry.path} />
          </li>
        ))}
      </ul>
      {panel.cutNote === null ? null : <p className="caption">{panel.cutNote}</p>}
      {panel.view === null ? null : <FileView view={panel.view} place={place} />}
      {panel.view !== null || panel.artifacts === null || panel.artifacts.length === 0 ? null : (
        <ArtifactTable artifacts={panel.artifacts} place={place} isCut={panel.isManifestCut} />
      )}
    </>
  );
}

const MANIFEST = "artifacts/manifest.json";
const ARTIFACT_COLUMNS = ["Collected from", "Into", "Type", "Status"].map((label) => ({ id: label, label }));

function ArtifactTable({
  artifacts,
  place,
  isCut,
}: {
  artifacts: readonly ArtifactEntry[];
  place: FilePlace;
  isCut: boolean;
}) {
  return (
    <section>
      <h3>Artifacts, from artifacts/manifest.json</h3>
      <Table caption="Artifacts" columns={ARTIFACT_COLUMNS} compact>
        <tbody>
          {artifacts.map((artifact, at) => (
            <tr key={at}>
              {[artifact.source, artifact.destination, artifact.type, artifact.status].map((text, column) => (
                <td key={column} className={text === null ? "unknown" : "wrap"}>
                  {text ?? MISSING}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      {isCut ? <ShowAll href={artifactHref(place.jobKey, place.trialKey, MANIFEST)} file={MANIFEST} /> : null}
    </section>
  );
}

function FileRow({ entry, place, isOpen }: { entry: TrialFileEntry; place: FilePlace; isOpen: boolean }) {
  const Icon = ICONS[entry.kind];
  const name = entry.path.split("/").at(-1) ?? entry.path;
  if (entry.kind !== "file") {
    return (
      <span className="file-row muted">
        <Icon size={14} strokeWidth={1.5} aria-hidden />
        <span className="cut grow">{name}</span>
        {entry.kind === "link" ? <span className="caption">link, opened only inside the trial</span> : null}
        {entry.kind === "garbled" ? (
          <span className="caption">its name is no text: rename it to open it</span>
        ) : null}
      </span>
    );
  }
  return (
    <SoftLink
      className="file-row"
      href={trialPageHref(place.jobKey, place.trialKey, { tab: place.tab, file: entry.path })}
      way="stay"
      data-row-link=""
      aria-current={isOpen ? "true" : undefined}
    >
      <Icon size={14} strokeWidth={1.5} aria-hidden />
      <span className="cut grow">{name}</span>
      <span className="muted nowrap">{entry.sizeBytes === null ? "" : formatBytes(entry.sizeBytes)}</span>
    </SoftLink>
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
    return <Notice title={none}>The Files tab lists everything the trial folder holds.</Notice>;
  return (
    <>
      <nav className="file-choices" aria-label="Files of this tab">
        {panel.entries.map((entry) => (
          <SoftLink
            key={entry.path}
            href={trialPageHref(place.jobKey, place.trialKey, { tab: place.tab, file: entry.path })}
            way="stay"
            aria-current={panel.view?.path === entry.path ? "true" : undefined}
          >
            {entry.path}
            {entry.sizeBytes === 0 ? <span className="muted"> empty</span> : null}
          </SoftLink>
        ))}
      </nav>
      <FileView view={panel.view} place={place} />
    </>
  );
}

function NoFiles() {
  return (
    <Notice title="No files here">
      The trial is only known from the job&apos;s own files. Its folder was deleted, or the job was stopped
      before it began.
    </Notice>
  );
}
