import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { ArtifactEntry, ArtifactManifest, EarlierAttempt } from "@/lib/core/domain/trial-file";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { fileHref, openTrialHref } from "@/lib/pages/trial/address";
import type {
  FileList,
  FilesPanel as FilesPanelData,
  FoundInFiles,
  NotSearched,
} from "@/lib/read/trial-reading";

import { FindField } from "../trajectory/find-field";
import type { ShownTrial } from "../trial-parts";
import { FileTree } from "./file-tree";
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
      <nav className="flow file-choices" aria-label="Files of this tab">
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

export function FilesAside({
  page,
  list,
  attempts,
  found,
}: {
  page: ShownTrial;
  list: FileList;
  attempts: readonly EarlierAttempt[];
  found: FoundInFiles | null;
}) {
  const { at, search } = page;
  const nFiles = list.entries.filter(({ kind }) => kind === "file").length;
  const places = found === null ? [] : listFoundPlaces(found, page);
  const current = places.findIndex(({ isOpen }) => isOpen);
  return (
    <section className="trial-aside files-aside" aria-label="Files" role="search">
      <div className="aside-head">
        <h2>Files</h2>
        <span className="caption" role={found === null ? undefined : "status"}>
          {found === null ? formatPlural(nFiles, "file") : describeFound(found)}
        </span>
      </div>
      {attempts.length === 0 ? null : <Attempts page={page} attempts={attempts} />}
      <div className="row">
        <FindField
          label="Search in all files"
          noun="match"
          isFilter={found !== null}
          nextHref={(places[current + 1] ?? places[0])?.href ?? null}
          previousHref={(places.at(current < 0 ? -1 : current - 1) ?? places[0])?.href ?? null}
        />
      </div>
      {found === null ? (
        <FileTree
          key={search.attempt}
          entries={list.entries}
          cutNote={list.cutNote}
          base={openTrialHref(at, { tab: "files", attempt: search.attempt })}
          open={search.file}
        />
      ) : (
        <FoundFiles found={found} places={places} />
      )}
    </section>
  );
}

function Attempts({
  page: { at, search },
  attempts,
}: {
  page: ShownTrial;
  attempts: readonly EarlierAttempt[];
}) {
  const open = search.attempt;
  return (
    <nav className="file-attempts" aria-label="Attempts">
      {attempts.map(({ name, outcome }) => (
        <Link
          key={name}
          className="choice"
          href={openTrialHref(at, { tab: "files", attempt: name })}
          mode="stay"
          aria-current={name === open ? "true" : undefined}
        >
          <b>{name}</b> <span className="muted">{outcome ?? "neither reward nor exception"}</span>
        </Link>
      ))}
      <Link
        className="choice"
        href={openTrialHref(at, { tab: "files" })}
        mode="stay"
        aria-current={open === null ? "true" : undefined}
      >
        <b>This trial</b> <span className="muted">the last attempt</span>
      </Link>
      {open === null ? null : (
        <p className="caption">An earlier attempt, which was retried. No figure counts it.</p>
      )}
    </nav>
  );
}

type FoundPlace = ReturnType<typeof listFoundPlaces>[number];

/** Each line that matches, and each file whose name does. */
function listFoundPlaces({ files }: FoundInFiles, { at, search }: ShownTrial) {
  return files.flatMap((file) => {
    const lines = file.lines.map((line) => ({
      file,
      line,
      href: fileHref(at, search, { file: file.path, line: line.line, form: "text" }),
      isOpen: search.file === file.path && search.line === line.line,
    }));
    const name = {
      file,
      line: null,
      href: fileHref(at, search, { file: file.path }),
      isOpen: search.file === file.path && search.line === null,
    };
    return file.isNamed ? [name, ...lines] : lines;
  });
}

function describeFound({ nLines, nFiles, hasMore, problem }: FoundInFiles): string {
  if (problem !== null && nFiles === 0) return "";
  if (nFiles === 0) return "No match";
  const lines = `${hasMore ? "at least " : ""}${formatPlural(nLines, "line")}`;
  return `${lines} in ${formatPlural(nFiles, "file")}`;
}

function FoundFiles({ found, places }: { found: FoundInFiles; places: readonly FoundPlace[] }) {
  const { files, nFiles, problem } = found;
  return (
    <>
      {problem === null ? null : <p className="caption">{problem}</p>}
      <ol className="found-list">
        {places.map((place, index) => (
          <li key={place.href}>
            {places[index - 1]?.file === place.file ? null : <p className="found-file">{place.file.path}</p>}
            <FoundRow place={place} />
            {places[index + 1]?.file === place.file ? null : <More {...place.file} />}
          </li>
        ))}
      </ol>
      {nFiles > files.length ? (
        <p className="caption">{formatPlural(nFiles - files.length, "more file")} with matches.</p>
      ) : null}
      <NotSearchedNote found={found} />
    </>
  );
}

/** More would push the match out of the two visible rows. */
const BEFORE_CHARS = 20;

function FoundRow({ place: { line, href, isOpen } }: { place: FoundPlace }) {
  return (
    <Link
      className="choice"
      href={href}
      mode="stay"
      data-row-link=""
      aria-current={isOpen ? "true" : undefined}
    >
      {line === null ? (
        <span className="caption">in its name</span>
      ) : (
        <>
          <b>{line.line}</b>
          <span className="clamp found-excerpt">
            {line.before.slice(-BEFORE_CHARS).toWellFormed()}
            <mark>{line.match}</mark>
            {line.after}
          </span>
        </>
      )}
    </Link>
  );
}

function More({ nLines, lines }: FoundInFiles["files"][number]) {
  const n = nLines - lines.length;
  return n === 0 ? null : <p className="caption found-more">{formatPlural(n, "more line")}</p>;
}

const REASONS: Readonly<Record<NotSearched, (n: number) => string>> = {
  binary: (n) => `${formatPlural(n, "file")}: binary.`,
  unreadable: (n) => `${formatPlural(n, "file")}: cannot be read.`,
  "too-large": (n) => `${formatPlural(n, "file")}: only the first 64 MB.`,
  "out-of-time": (n) => `${formatPlural(n, "file")}: the search ended after 4 seconds or 256 MB.`,
};

function NotSearchedNote({ found }: { found: FoundInFiles }) {
  const { notSearched, nSearched, hasMore, problem } = found;
  if (problem !== null) return null;
  if (hasMore) return <p className="caption">Too many matches. Search for something rarer.</p>;
  if (notSearched.length === 0)
    return <p className="caption">Searched all {formatPlural(nSearched, "file")}.</p>;
  return (
    <details className="caption found-missing">
      <summary>
        Searched {formatPlural(nSearched, "file")};{" "}
        {formatCount(notSearched.reduce((sum, { n }) => sum + n, 0))} not or only in part
      </summary>
      {notSearched.map(({ reason, n, paths }) => (
        <p key={reason}>
          {REASONS[reason](n)} {paths.join(", ")}
          {n > paths.length ? " …" : ""}
        </p>
      ))}
    </details>
  );
}
