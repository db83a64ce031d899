import { Fragment } from "react";

import { Preformatted } from "@/components/ui/preformatted";
import type { TextBlock, TextLine, TextSpan } from "@/lib/core/domain/trial-file";

const FAILURE =
  /^E {2,}|^(?:FAILED|ERROR|FAIL)\b|\bFAILED$|^Traceback \(most recent call last\)|^[\w.]*(?:Error|Exception): /u;

/** `output` colours lines that look like failures, except lines with their own colours. */
export type Reading = "plain" | "output";

/** Renders text nodes and spans only: file content is never markup. */
export function TextLines({
  lines,
  reading = "plain",
}: {
  lines: readonly TextLine[];
  reading?: Reading | undefined;
}) {
  return lines.map((line, row) =>
    typeof line === "string" ? (
      <PlainLine key={row} line={line} reading={reading} />
    ) : (
      <Fragment key={row}>
        <Spans line={line} />
        {"\n"}
      </Fragment>
    ),
  );
}

/** A text, and how much of it the page leaves out. */
export function CutText({
  text,
  className,
  reading,
}: {
  text: TextBlock;
  className: string;
  reading?: Reading | undefined;
}) {
  return (
    <>
      <Preformatted className={className} tabIndex={0}>
        <TextLines lines={text.lines} reading={reading} />
      </Preformatted>
      {text.cutNote === null ? null : <p className="caption">{text.cutNote}</p>}
    </>
  );
}

export function toText(line: TextLine): string {
  return typeof line === "string" ? line : line.map((span) => span.text).join("");
}

function PlainLine({ line, reading }: { line: string; reading: Reading }) {
  if (reading === "output" && FAILURE.test(line)) return <span className="tone-failure">{`${line}\n`}</span>;
  return `${line}\n`;
}

export function Spans({ line }: { line: TextLine }) {
  if (typeof line === "string") return line;
  return line.map(({ text, tone, strong }, at) =>
    tone === null && !strong ? (
      text
    ) : (
      <span key={at} className={nameStyle(tone, strong)}>
        {text}
      </span>
    ),
  );
}

function nameStyle(tone: TextSpan["tone"], strong: boolean): string {
  return [tone === null ? "" : `tone-${tone}`, strong ? "tone-strong" : ""].join(" ").trim();
}
