import type { Route } from "next";

import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { foundFileHref, type OpenTrial, type TrialParams } from "@/lib/pages/trial/address";
import type { FoundInFiles, NotSearched } from "@/lib/read/trial-reading";

import "../trajectory/found-list.css";
import "./found-files.css";

export interface FoundPlace {
  readonly file: FoundInFiles["files"][number];
  readonly line: FoundInFiles["files"][number]["lines"][number] | null;
  readonly href: Route;
  readonly isOpen: boolean;
}

export function listFoundPlaces(
  { files }: FoundInFiles,
  at: OpenTrial,
  search: TrialParams,
): readonly FoundPlace[] {
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

export function describeFound({ nLines, nFiles, hasMore, problem }: FoundInFiles): string {
  if (problem !== null && nFiles === 0) return "";
  if (nFiles === 0) return "No match";
  const lines = `${hasMore ? "at least " : ""}${formatPlural(nLines, "line")}`;
  return `${lines} in ${formatPlural(nFiles, "file")}`;
}

export function FoundFiles({ found, places }: { found: FoundInFiles; places: readonly FoundPlace[] }) {
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
