import { Link } from "@/components/ui/link";
import type { FileWindow } from "@/lib/core/domain/file-preview";
import type { FileContent, TextWindow, TrialFileView } from "@/lib/core/domain/file-view";
import { formatBytes, formatCount, formatPlural } from "@/lib/core/format/number";
import { fileHref, type TrialParams } from "@/lib/pages/trial/address";

import { GoTo } from "../go-to";
import type { ShownTrial } from "../trial-parts";

/** Table rows are only found by reading from the start. */
const ONE_WAY: ReadonlySet<string> = new Set(["Start", "Later"]);

export function FileWindowNav({
  view: { path, sizeBytes, form, content },
  window: { fromByte, toByte },
  page: { at, search },
}: {
  view: Extract<TrialFileView, { kind: "file" }>;
  window: FileWindow;
  page: ShownTrial;
}) {
  const hrefOf = (part: Partial<TrialParams>) => fileHref(at, search, { file: path, form, ...part });
  const isStart = fromByte === 0;
  const isEnd = toByte >= sizeBytes;
  const isAll = isStart && isEnd;
  const isOneWay = content.kind === "preview" && content.preview.kind === "table";
  const links = [
    ["Start", isStart, { from: 0 }],
    ["Earlier", isStart, { from: fromByte, end: "end" }],
    ["Later", isEnd, { from: toByte }],
    ["End", isEnd, { end: "end" }],
  ] as const;
  return (
    <div className="flow file-window">
      <span className="muted">
        {[isAll ? "" : describeBytes(fromByte, toByte, sizeBytes), describeRows(content, isAll)]
          .filter((part) => part !== "")
          .join(", ")}
      </span>
      {isAll ? null : (
        <nav aria-label="Parts of the file">
          {links
            .filter(([label]) => !isOneWay || ONE_WAY.has(label))
            .map(([label, isHere, part]) =>
              isHere ? (
                <span key={label} className="muted" aria-disabled="true">
                  {label}
                </span>
              ) : (
                <Link key={label} href={hrefOf(part)} mode="stay">
                  {label}
                </Link>
              ),
            )}
        </nav>
      )}
      {content.kind === "text" ? <GoTo what="line" /> : null}
    </div>
  );
}

/** Exact if rounding would make both ends equal. */
function describeBytes(from: number, to: number, size: number): string {
  const [first, last] = [formatBytes(from), formatBytes(to)];
  return first === last
    ? `Bytes ${formatCount(from)} to ${formatCount(to)} of ${formatBytes(size)}`
    : `${first} to ${last} of ${formatBytes(size)}`;
}

function describeRows(content: FileContent, isAll: boolean): string {
  if (content.kind === "preview" && content.preview.kind === "table")
    return formatPlural(content.preview.rows.length, "row");
  if (content.kind === "preview" && content.preview.kind === "records")
    return formatPlural(content.preview.records.length, "record");
  if (content.kind !== "text" || content.text.lines.length === 0) return "";
  const { firstLine } = content.text;
  if (firstLine === null) return "too far from the start to count lines";
  const last = countLast(content.text, firstLine);
  if (isAll) return formatPlural(last, "line");
  if (last === firstLine) return `line ${formatCount(last)}`;
  return `lines ${formatCount(firstLine)} to ${formatCount(last)}`;
}

function countLast({ lines, goesOn }: TextWindow, firstLine: number): number {
  const nBegun = lines.length - goesOn.length;
  return firstLine + nBegun - (goesOn.includes(0) ? 0 : 1);
}
