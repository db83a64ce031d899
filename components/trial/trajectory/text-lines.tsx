import { Fragment } from "react";

import type { TextLine, TextSpan } from "@/lib/domain/trial-file";

const FAILURE =
  /^E {2,}|^(?:FAILED|ERROR|FAIL)\b|\bFAILED$|^Traceback \(most recent call last\)|^[\w.]*(?:Error|Exception): /u;

/** How lines are helped to be read: `output` colours those that look like failures. Lines with colours of their own are left alone. */
export type Reading = "plain" | "output";

/** Lines of prepared text, as text nodes and spans only: whatever a file holds, it stays text. */
export function TextLines({ lines, reading = "plain" }: { lines: readonly TextLine[]; reading?: Reading }) {
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

/** A line without its colours. */
export function toText(line: TextLine): string {
  return typeof line === "string" ? line : line.map((span) => span.text).join("");
}

function PlainLine({ line, reading }: { line: string; reading: Reading }) {
  if (reading === "output" && FAILURE.test(line)) return <span className="tone-failure">{`${line}\n`}</span>;
  return `${line}\n`;
}

/** What stands in a line, each run of characters in its style. */
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
