import { Link } from "@/components/ui/link";
import type { EarlierAttempt } from "@/lib/core/domain/trial-file";
import { formatPlural, formatCount } from "@/lib/core/format/number";
import { fileHref, openTrialHref } from "@/lib/pages/trial/address";
import type { FileList, FoundInFiles, NotSearched } from "@/lib/read/trial-reading";

import { FindField } from "../trajectory/find-field";
import type { ShownTrial } from "../trial-parts";
import { FileTree } from "./file-tree";

import "../trajectory/found-list.css";
import "./file-tree.css";

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
