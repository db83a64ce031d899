import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { ShowAll } from "@/components/ui/show-all";
import type { DataColumn } from "@/components/ui/table-columns";
import { artifactHref, openTrialHref } from "@/lib/addresses/trial";
import type { ArtifactEntry } from "@/lib/domain/trial-file";
import { MISSING } from "@/lib/format/number";
import type { FilesPanel as FilesPanelData } from "@/lib/trial-reading";

import type { FilePlace } from "./file-place";
import { FileView } from "./file-view";

import "./files.css";

/** The open file of a trial, or what there is to know of its files while none is open. */
export function FilesPanel({ panel, place }: { panel: FilesPanelData; place: FilePlace }) {
  if (panel.view !== null) return <FileView view={panel.view} place={place} />;
  return (
    <>
      <p className="muted file-empty">No file is open. Choose one of the list, or search in all of them.</p>
      {panel.artifacts === null || panel.artifacts.length === 0 ? null : (
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
            href={openTrialHref(place, { tab: place.search.tab, file: entry.path })}
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
