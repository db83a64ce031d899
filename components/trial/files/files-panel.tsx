import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { ArtifactEntry, ArtifactManifest } from "@/lib/core/domain/trial-file";
import { fileHref, openTrialHref } from "@/lib/pages/trial/address";
import type { FilesPanel as FilesPanelData } from "@/lib/read/trial-reading";

import type { ShownTrial } from "../trial-parts";
import { FileView } from "./file-view";

import "./files.css";

export function FilesPanel({ panel, page }: { panel: FilesPanelData; page: ShownTrial }) {
  const { view, isEmpty, manifests, areManifestsCut } = panel;
  if (view !== null) return <FileView view={view} page={page} />;
  if (isEmpty)
    return (
      <Notice title="No files here">
        This trial has no folder: it was deleted, or the job stopped before the trial started.
      </Notice>
    );
  return (
    <>
      <p className="muted file-empty">No file is open. Choose a file, or search all files.</p>
      {manifests.map((manifest) => (
        <Artifacts key={manifest.file} manifest={manifest} page={page} />
      ))}
      {areManifestsCut ? <p className="caption">Some collected artifacts are not listed here.</p> : null}
    </>
  );
}

function Artifacts({
  manifest: { file, entries },
  page: { at, search },
}: {
  manifest: ArtifactManifest;
  page: ShownTrial;
}) {
  const folder = file.slice(0, -MANIFEST.length);
  const hrefOf = (path: string) => fileHref(at, search, { file: path });
  const fields = ARTIFACT_FIELDS.filter(
    ([id]) => !OPTIONAL_FIELDS.has(id) || entries.some((entry) => entry[id] !== null),
  );
  const columns: readonly DataColumn<ArtifactEntry>[] = fields.map(([id, header]) => ({
    id,
    header,
    cell: (artifact) => {
      const text = artifact[id];
      if (text === null) return <Unknown />;
      if (text === "") return <span className="muted">nothing</span>;
      const isFile = id === "destination" && artifact.type === "file" && artifact.status === "ok";
      return isFile ? (
        <Link href={hrefOf(folder + text)} mode="stay" data-row-link="">
          {text}
        </Link>
      ) : (
        text
      );
    },
    meta: { className: "wrap" },
  }));
  return (
    <section>
      <h3>
        Artifacts, from{" "}
        <Link href={hrefOf(file)} mode="stay">
          {file}
        </Link>
      </h3>
      {entries.length === 0 ? (
        <p className="muted">Nothing was collected.</p>
      ) : (
        <DataTable
          caption={`Artifacts of ${file}`}
          className="table-compact"
          columns={columns}
          rows={entries}
          rowKey={(_, at) => at}
        />
      )}
    </section>
  );
}

const MANIFEST = "artifacts/manifest.json";
const ARTIFACT_FIELDS = [
  ["source", "Collected from"],
  ["destination", "Into"],
  ["type", "Type"],
  ["status", "Status"],
  ["service", "Service"],
  ["exclude", "Left out"],
] as const;
/** Columns that only newer manifests have. */
const OPTIONAL_FIELDS: ReadonlySet<keyof ArtifactEntry> = new Set(["service", "exclude"]);

export function ChosenFiles({
  panel,
  page,
  none,
}: {
  panel: FilesPanelData;
  page: ShownTrial;
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
            href={openTrialHref(page.at, { tab: page.search.tab, file: entry.path })}
            mode="stay"
            aria-current={panel.view?.path === entry.path ? "true" : undefined}
          >
            {entry.path}
            {entry.sizeBytes === 0 ? <span className="muted"> empty</span> : null}
          </Link>
        ))}
      </nav>
      <FileView view={panel.view} page={page} />
    </>
  );
}
