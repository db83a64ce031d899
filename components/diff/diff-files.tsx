import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { withBasePath } from "@/lib/core/domain/base-path";
import { formatBytes, formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { diffHref, type DiffParams } from "@/lib/pages/diff/address";
import type { DiffPage } from "@/lib/pages/diff/page";
import { artifactHref } from "@/lib/pages/trial/address";
import type { DiffFiles, ComparedFile, FileComparison, DiffLine, DiffRow } from "@/lib/read/trial-reading";

import { TextLines } from "../trial/trajectory/text-lines";

export function DiffFilesPanel({
  page,
  params,
  files,
}: {
  page: DiffPage;
  params: DiffParams;
  files: DiffFiles;
}) {
  const { rows, counts, cutNotes, view } = files;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0 && view === null)
    return <Notice title="No file to compare">{cutNotes.join(" ") || "Both folders are empty."}</Notice>;
  const [others, equal] = [
    rows.filter(({ relation }) => relation !== "same"),
    rows.filter(({ relation }) => relation === "same"),
  ];
  const list = (some: readonly ComparedFile[]) => (
    <ul>
      {some.map((file) => (
        <li key={file.path}>
          <FileRow file={file} params={params} isOpen={file.path === view?.path} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className="diff-files">
      <div className="diff-file-column">
        <p className="muted">{describeCounts(counts, total)}</p>
        {list(others)}
        {equal.length === 0 ? null : (
          <details open={equal.some(({ path }) => path === view?.path)}>
            <summary className="muted">{formatPlural(counts.same, "equal file")}, byte by byte</summary>
            {list(equal)}
          </details>
        )}
        {cutNotes.map((note) => (
          <p key={note} className="caption">
            {note}
          </p>
        ))}
      </div>
      <div>
        {view === null ? (
          <p className="muted">No file differs. Choose a file to open it.</p>
        ) : (
          <FileView view={view} page={page} />
        )}
      </div>
    </div>
  );
}

function describeCounts(counts: DiffFiles["counts"], total: number): string {
  const others = [
    [counts["only-a"], "only in A"],
    [counts["only-b"], "only in B"],
    [counts.unknown, "not compared"],
  ] as const;
  const parts = others.flatMap(([count, words]) => (count === 0 ? [] : `${formatCount(count)} ${words}`));
  return [`${formatCount(counts.differs)} of ${formatPlural(total, "file")} differ`, ...parts].join(", ");
}

function FileRow({ file, params, isOpen }: { file: ComparedFile; params: DiffParams; isOpen: boolean }) {
  const { a, b } = params;
  const slash = file.path.lastIndexOf("/") + 1;
  return (
    <Link
      className="row choice diff-file"
      href={diffHref({ a, b, tab: "files", file: file.path })}
      mode="stay"
      data-row-link=""
      aria-current={isOpen ? "true" : undefined}
      title={file.reason === null ? file.path : `${file.path}: ${file.reason}`}
    >
      <code className="diff-file-path">
        <span className="muted">{file.path.slice(0, slash)}</span>
        {file.path.slice(slash)}
      </code>
      <span className="caption nowrap">{describeRelation(file)}</span>
    </Link>
  );
}

function describeRelation({ relation, sizes: { a, b } }: ComparedFile): string {
  if (relation === "only-a") return "only A";
  if (relation === "only-b") return "only B";
  if (relation === "unknown") return "not compared";
  const [one, other] = [a, b].map((size) => (size === null ? MISSING : formatBytes(size)));
  return one === other ? (one ?? MISSING) : `${one}, ${other}`;
}

function FileView({
  view: { path, comparison },
  page: { a, b },
}: {
  view: NonNullable<DiffFiles["view"]>;
  page: DiffPage;
}) {
  const sides = [
    ["A", a.at],
    ["B", b.at],
  ] as const;
  const canDownload = (letter: "A" | "B") =>
    comparison.kind === "only"
      ? comparison.letter === letter
      : comparison.kind !== "problem" || !comparison.letters.includes(letter);
  return (
    <section aria-label={path}>
      <div className="flow diff-file-head">
        <code className="diff-file-path">{path}</code>
        {sides.map(([letter, { jobKey, trialKey }]) =>
          !canDownload(letter) ? null : (
            <a
              key={letter}
              className="nowrap"
              href={withBasePath(artifactHref(jobKey, trialKey, path, { as: "file" }))}
              download
            >
              Download {letter}
            </a>
          ),
        )}
      </div>
      <Comparison comparison={comparison} />
    </section>
  );
}

function Comparison({ comparison }: { comparison: FileComparison }) {
  switch (comparison.kind) {
    case "same":
      return (
        <Notice title="Both files are the same">{formatBytes(comparison.sizeBytes)}, byte by byte.</Notice>
      );
    case "binary":
      return (
        <Notice title="Binary files that differ">
          {describeSizes(comparison.sizes)} The first byte that differs is at offset{" "}
          {formatCount(comparison.firstDifference)}.
        </Notice>
      );
    case "unknown":
      return (
        <Notice title="No differences in the compared part">
          {describeSizes(comparison.sizes)} The first {formatBytes(comparison.comparedBytes)} are equal; the
          rest was not compared.
        </Notice>
      );
    case "only":
      return <Notice title={`Only ${comparison.letter} has this file`}>Download it to look inside.</Notice>;
    case "problem":
      return <Problem comparison={comparison} />;
    case "text":
      return <FileDiff comparison={comparison} />;
  }
}

function Problem({
  comparison: { letters, issue },
}: {
  comparison: Extract<FileComparison, { readonly kind: "problem" }>;
}) {
  return (
    <Notice title="This file cannot be compared" tone="error" code={`${issue.code}: ${issue.path}`}>
      {letters.join(" and ")}: {issue.detail} Files outside the trial folders are never opened.
    </Notice>
  );
}

function describeSizes({ a, b }: { readonly a: number; readonly b: number }): string {
  return a === b ? `Both have ${formatBytes(a)}.` : `A has ${formatBytes(a)}, B has ${formatBytes(b)}.`;
}

function FileDiff({
  comparison: { diff, notes, sizes },
}: {
  comparison: Extract<FileComparison, { readonly kind: "text" }>;
}) {
  const { rows, nDiffering } = diff;
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="caption">
          {note}
        </p>
      ))}
      <table className="file-diff">
        <caption className="screen-reader">Lines of both files, those of A on the left</caption>
        <colgroup>
          <col className="diff-number" />
          <col />
          <col className="diff-number" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th colSpan={2} scope="col">
              A <span className="muted">{describeSide(nDiffering.a, sizes.a)}</span>
            </th>
            <th colSpan={2} scope="col">
              B <span className="muted">{describeSide(nDiffering.b, sizes.b)}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Row key={at} row={row} />
          ))}
        </tbody>
      </table>
      <p className="caption">Bold and underlined: differing part of a line. Hatched: no line on this side.</p>
    </>
  );
}

function describeSide(nDiffering: number, sizeBytes: number): string {
  return `${formatPlural(nDiffering, "differing line")}, ${formatBytes(sizeBytes)}`;
}

function Row({ row }: { row: DiffRow }) {
  if (row.kind === "fold") {
    return (
      <tr className="diff-fold">
        <td colSpan={4}>{formatPlural(row.count, "equal line")}</td>
      </tr>
    );
  }
  return (
    <tr className={row.kind === "same" ? undefined : "diff-differs"}>
      <Side line={row.a} />
      <Side line={row.b} />
    </tr>
  );
}

function Side({ line }: { line: DiffLine | null }) {
  if (line === null) return <td colSpan={2} className="diff-none" aria-label="No line" />;
  return (
    <>
      <td className="diff-number">{line.number}</td>
      <td className="diff-text">
        <LineText line={line} />
      </td>
    </>
  );
}

function LineText({ line: { text, mark } }: { line: DiffLine }) {
  if (mark === null || typeof text !== "string") return <TextLines lines={[text]} />;
  return (
    <>
      {text.slice(0, mark.from)}
      <em>{text.slice(mark.from, mark.to)}</em>
      {text.slice(mark.to)}
    </>
  );
}
