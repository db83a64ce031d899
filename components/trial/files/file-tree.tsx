"use client";

import { CornerUpRight, File, FileQuestion, Folder, Search } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useRef, useState } from "react";

import { Link } from "@/components/ui/link";
import type { TrialFileEntry } from "@/lib/core/domain/trial-file";
import { formatBytes, formatPlural } from "@/lib/core/format/number";
import { buildHref } from "@/lib/pages/address/href";

const ICONS = {
  file: File,
  folder: Folder,
  link: CornerUpRight,
  garbled: FileQuestion,
  other: FileQuestion,
} as const;

const NOTES = {
  link: "link, followed only inside the trial",
  garbled: "invalid file name: rename the file to open it",
  other: "not a regular file",
} as const;

/** With more entries, only the folders of the open file are expanded. */
const MOST_UNFOLDED = 60;

interface Tree {
  readonly entry: TrialFileEntry;
  readonly children: Tree[];
}

interface Place {
  readonly base: string;
  readonly open: string | null;
}

/** Rendered in the browser too, so that folds and the filter stay when another file opens. */
export function FileTree({
  entries,
  cutNote,
  ...place
}: Place & { entries: readonly TrialFileEntry[]; cutNote: string | null }) {
  const [text, setText] = useState("");
  const sought = useDeferredValue(text.trim().toLowerCase());
  const list = useRef<HTMLDivElement>(null);
  const isUnfolded = entries.length <= MOST_UNFOLDED;
  const matching = entries.filter(
    ({ kind, path }) => kind !== "folder" && path.toLowerCase().includes(sought),
  );

  function act(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      if (text === "") event.currentTarget.blur();
      else setText("");
    } else if (event.key === "Enter" || event.key === "ArrowDown")
      list.current?.querySelector<HTMLElement>("[data-row-link]")?.focus();
    else return;
    event.preventDefault();
  }

  return (
    <>
      <label className="field file-filter">
        <Search size={14} aria-hidden />
        <span className="screen-reader">Filter files by name</span>
        <input
          type="search"
          value={text}
          placeholder="Filter by name"
          data-filter-text=""
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={act}
        />
      </label>
      <div ref={list} className="file-tree">
        {sought === "" ? (
          <Branch trees={plant(entries)} place={place} isUnfolded={isUnfolded} label="Files of the trial" />
        ) : (
          <>
            <p className="caption" role="status">
              {matching.length === 0 ? "No files match" : formatPlural(matching.length, "file")}
            </p>
            <ul aria-label="Files with this name">
              {matching.map((entry) => (
                <li key={entry.path}>
                  <Row entry={entry} name={entry.path} place={place} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {cutNote === null ? null : (
        <p className="caption">{cutNote} Search all files to find names that are not listed.</p>
      )}
    </>
  );
}

function plant(entries: readonly TrialFileEntry[]): readonly Tree[] {
  const roots: Tree[] = [];
  const path: Tree[] = [];
  for (const entry of entries) {
    const tree = { entry, children: [] };
    path.length = Math.min(path.length, entry.depth);
    (path.at(-1)?.children ?? roots).push(tree);
    if (entry.kind === "folder") path.push(tree);
  }
  return roots;
}

function Branch({
  trees,
  place,
  isUnfolded,
  label,
}: {
  trees: readonly Tree[];
  place: Place;
  isUnfolded: boolean;
  label?: string;
}) {
  return (
    <ul aria-label={label}>
      {trees.map(({ entry, children }) => (
        <li key={`${entry.kind} ${entry.path}`}>
          {entry.kind === "folder" ? (
            <details open={isUnfolded || (place.open?.startsWith(`${entry.path}/`) ?? false)}>
              <summary className="row file-row choice">
                <Folder size={14} strokeWidth={1.5} aria-hidden />
                <span className="cut" title={entry.path}>
                  {lastPart(entry.path)}
                </span>
                <span className="caption file-size">{children.length === 0 ? "empty" : ""}</span>
              </summary>
              <Branch trees={children} place={place} isUnfolded={isUnfolded} />
            </details>
          ) : (
            <Row entry={entry} name={lastPart(entry.path)} place={place} />
          )}
        </li>
      ))}
    </ul>
  );
}

function lastPart(path: string): string {
  return path.split("/").at(-1) ?? path;
}

function Row({
  entry: { kind, path, sizeBytes },
  name,
  place,
}: {
  entry: TrialFileEntry;
  name: string;
  place: Place;
}) {
  const Icon = ICONS[kind];
  if (kind !== "file")
    return (
      <span className="row file-row muted" title={kind === "folder" ? path : `${path}: ${NOTES[kind]}`}>
        <Icon size={14} strokeWidth={1.5} aria-hidden />
        <span className="cut">{name}</span>
        <span className="caption file-size">{kind}</span>
      </span>
    );
  return (
    <Link
      className="row file-row choice"
      href={buildHref(`${place.base}&file=${encodeURIComponent(path)}`)}
      mode="stay"
      title={path}
      data-row-link=""
      aria-current={path === place.open ? "true" : undefined}
    >
      <Icon size={14} strokeWidth={1.5} aria-hidden />
      <span className="cut">{name}</span>
      <span className="caption file-size">{sizeBytes === null ? "" : formatBytes(sizeBytes)}</span>
    </Link>
  );
}
