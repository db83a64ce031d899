import type { Route } from "next";

import { Link } from "@/components/ui/link";
import type { EarlierAttempt } from "@/lib/core/domain/trial-file";
import { formatPlural, formatCount } from "@/lib/core/format/number";
import { type OpenTrial, openTrialHref, type TrialParams, foundFileHref } from "@/lib/pages/trial/address";
import type { TrialPage } from "@/lib/pages/trial/page";
import type { FileList, FoundInFiles, NotSearched } from "@/lib/read/trial-reading";

import { FindField } from "../trajectory/find-field";
import { FileTree } from "./file-tree";

import "../trajectory/found-list.css";
import "./found-files.css";

export function FilesAside({
  page: { at },
  search,
  list,
  attempts,
  found,
}: {
  page: TrialPage;
  search: TrialParams;
  list: FileList;
  attempts: readonly EarlierAttempt[];
  found: FoundInFiles | null;
}) {
  const nFiles = list.entries.filter(({ kind }) => kind === "file").length;
  const places = found === null ? [] : listFoundPlaces(found, at, search);
  const current = places.findIndex(({ isOpen }) => isOpen);
  return (
    <section className="trial-aside files-aside" aria-label="Files" role="search">
      <div className="aside-head">
        <h2>Files</h2>
        <span className="caption" role={found === null ? undefined : "status"}>
          {found === null ? formatPlural(nFiles, "file") : describeFound(found)}
        </span>
      </div>
      {attempts.length === 0 ? null : <Attempts at={at} attempts={attempts} open={search.attempt} />}
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
  at,
  attempts,
  open,
}: {
  at: OpenTrial;
  attempts: readonly EarlierAttempt[];
  open: string | null;
}) {
  return (
    <nav className="file-attempts" aria-label="Attempts">
      {attempts.map(({ name, outcome }) => (
        <Link
          key={name}
          href={openTrialHref(at, { tab: "files", attempt: name })}
          mode="stay"
          aria-current={name === open ? "true" : undefined}
        >
          <b>{name}</b> <span className="muted">{outcome ?? "neither reward nor exception"}</span>
        </Link>
      ))}
      <Link
        href={openTrialHref(at, { tab: "files" })}
        mode="stay"
        aria-current={open === null ? "true" : undefined}
      >
        <b>This trial</b> <span className="muted">the last attempt</span>
      </Link>
      {open === null ? null : (
        <p className="caption">An earlier attempt, which was retried. It counts in no figure.</p>
      )}
    </nav>
  );
}

interface FoundPlace {
  readonly file: FoundInFiles["files"][number];
  readonly line: FoundInFiles["files"][number]["lines"][number] | null;
  readonly href: Route;
  readonly isOpen: boolean;
}

function listFoundPlaces({ files }: FoundInFiles, at: OpenTrial, search: TrialParams): readonly FoundPlace[] {
  return files.flatMap((file) => {
    const { path } = file;
    const lines = file.lines.map((line) => ({
      file,
      line,
      href: foundFileHref(at, search, { file: path, line: line.line, form: "text" }),
      isOpen: search.file === path && search.line === line.line,
    }));
    if (!file.isNamed) return lines;
    const href = foundFileHref(at, search, { file: path });
    const isOpen = search.file === path && search.line === null;
    return [{ file, line: null, href, isOpen }, ...lines];
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
            {places[index + 1]?.file === place.file ? null : <More place={place} />}
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
    <Link href={href} mode="stay" data-row-link="" aria-current={isOpen ? "true" : undefined}>
      {line === null ? (
        <span className="caption">in its name</span>
      ) : (
        <>
          <b>{line.line}</b>
          <span className="found-excerpt">
            {line.before.slice(-BEFORE_CHARS).toWellFormed()}
            <mark>{line.match}</mark>
            {line.after}
          </span>
        </>
      )}
    </Link>
  );
}

function More({ place: { file } }: { place: FoundPlace }) {
  const n = file.nLines - file.lines.length;
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
  if (hasMore)
    return <p className="caption">The search ended at its limit of matches. Look for something rarer.</p>;
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
