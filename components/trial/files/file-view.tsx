import Link from "next/link";

import { artifactHref, trialPageHref, type TrialTab } from "@/lib/addresses/trial";
import { TextLines } from "../trajectory/text-lines";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import type { TextBlock, TrialFileView } from "@/lib/domain/trial-file";
import { formatBytes, formatPlural } from "@/lib/format/number";

import { ScrollToLine } from "./scroll-to-line";

/** Where a file's links lead. */
export interface FilePlace {
  readonly jobKey: string;
  readonly trialKey: string;
  readonly tab: TrialTab;
  readonly end: "start" | "end";
  /** Line to bring into view, from 1; null for none. */
  readonly line: number | null;
}

/** One open file: its name and size, what can be done with it, and its content as plain text or a proved image. */
export function FileView({ view, place }: { view: TrialFileView; place: FilePlace }) {
  const href = artifactHref(place.jobKey, place.trialKey, view.path);
  if (view.kind === "problem") {
    return (
      <Notice title="This file cannot be shown" tone="error" code={`${view.issue.code}: ${view.path}`}>
        {view.issue.detail} Nothing outside the trial folder is opened. Choose another file.
      </Notice>
    );
  }
  return (
    <section className="file-view" aria-label={view.path}>
      <div className="file-head">
        <code className="cut grow" title={view.path}>
          {view.path}
        </code>
        <span className="muted nowrap">{describeSize(view)}</span>
        {view.kind === "text" && view.text.cutNote !== null ? <EndLinks view={view} place={place} /> : null}
        {view.kind === "text" ? (
          <a
            className="button button-bare"
            href={artifactHref(place.jobKey, place.trialKey, view.path, true)}
            target="_blank"
            rel="noreferrer"
          >
            Raw
          </a>
        ) : null}
        <a className="button button-bare" href={href} download>
          Download
        </a>
        <CopyButton text={view.path} label="Copy path" />
      </div>
      {view.kind === "text" ? <TextBody view={view} place={place} /> : null}
      {view.kind === "binary" ? (
        <Notice title="Not a text">
          This file is binary, so it is not shown here. Download it to look inside.
        </Notice>
      ) : null}
      {view.kind === "image" ? (
        // eslint-disable-next-line @next/next/no-img-element -- the optimiser would fetch and rewrite evidence
        <img className="file-image" src={href} alt={view.path} />
      ) : null}
    </section>
  );
}

function describeSize(view: Exclude<TrialFileView, { kind: "problem" }>): string {
  const size = formatBytes(view.sizeBytes);
  return view.kind === "text" && view.text.cutNote === null
    ? `${formatPlural(view.text.totalLines, "line")}, ${size}`
    : size;
}

function TextBody({
  view: { text },
  place,
}: {
  view: Extract<TrialFileView, { kind: "text" }>;
  place: FilePlace;
}) {
  if (text.lines.length === 0)
    return <p className="muted file-empty">The file is empty. Empty logs are common.</p>;
  const at = findLine(text, place);
  return (
    <>
      {text.cutNote === null ? null : <p className="caption file-cut">{text.cutNote}</p>}
      <pre className="file-text" tabIndex={0}>
        {at === null ? (
          <TextLines lines={text.lines} reading="output" />
        ) : (
          <>
            <TextLines lines={text.lines.slice(0, at)} reading="output" />
            <mark id={SOUGHT_LINE} className="file-line">
              <TextLines lines={text.lines.slice(at, at + 1)} reading="output" />
            </mark>
            <TextLines lines={text.lines.slice(at + 1)} reading="output" />
            <ScrollToLine id={SOUGHT_LINE} />
          </>
        )}
      </pre>
    </>
  );
}

const SOUGHT_LINE = "sought-line";

/** Index of the line that is asked for; of the end of a file whose beginning is not read, where its last traceback begins. */
function findLine({ lines, cutNote }: TextBlock, { line, end }: FilePlace): number | null {
  if (cutNote === null || end === "start") return line === null || line > lines.length ? null : line - 1;
  const at = lines.findLastIndex(
    (one) => typeof one === "string" && one.startsWith("Traceback (most recent"),
  );
  return at === -1 || line === null ? null : at;
}

function EndLinks({ view, place }: { view: TrialFileView; place: FilePlace }) {
  const other = place.end === "start" ? "end" : "start";
  const href = trialPageHref(place.jobKey, place.trialKey, { tab: place.tab, file: view.path, end: other });
  return (
    <Link className="button button-bare" href={href} scroll={false} prefetch={false}>
      Read from the {other}
    </Link>
  );
}
