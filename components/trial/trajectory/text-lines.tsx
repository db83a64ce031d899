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

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^(#{1,6} )(.*)$/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,3}[.)]) /;
const QUOTE = /^> ?/;
const INLINE = /`([^`\n]+)`|\*\*(?! )([^*\n]+)(?<! )\*\*/;

/** Styles lines as Markdown without links or HTML; signs are visible only in raw view. `isInCode`: starts in a code block. */
export function ProseLines({ lines, isInCode = false }: { lines: readonly TextLine[]; isInCode?: boolean }) {
  let isCode = isInCode;
  return lines.map((line, row) => {
    const text = toText(line);
    const isFence = FENCE.test(text);
    const isInside = isCode && !isFence;
    if (isFence) isCode = !isCode;
    if (isFence) return <Sign key={row}>{`${text}\n`}</Sign>;
    return isInside ? (
      <span key={row} className="prose-code">
        <Spans line={line} />
        {"\n"}
      </span>
    ) : (
      <ProseLine key={row} text={text} />
    );
  });
}

export function endsInCode(lines: readonly TextLine[]): boolean {
  return lines.filter((line) => FENCE.test(toText(line))).length % 2 === 1;
}

function ProseLine({ text }: { text: string }) {
  const [, signs, title] = HEADING.exec(text) ?? [];
  if (signs !== undefined && title !== undefined)
    return (
      <span className="prose-heading">
        <Sign>{signs}</Sign>
        <Inline text={`${title}\n`} />
      </span>
    );
  const item = ITEM.exec(text);
  if (item !== null) {
    const indent = Math.min(item[1]?.length ?? 0, 12);
    return (
      <span className="prose-item" style={{ paddingLeft: `${indent / 2 + 2}ch` }}>
        <Inline text={`${text.trimStart()}\n`} />
      </span>
    );
  }
  if (QUOTE.test(text))
    return (
      <span className="prose-quote">
        <Sign>{"> "}</Sign>
        <Inline text={`${text.replace(QUOTE, "")}\n`} />
      </span>
    );
  if (text.startsWith("|")) return <span className="prose-code">{`${text}\n`}</span>;
  return <Inline text={`${text}\n`} />;
}

/** Splitting by two groups puts code at every third place and strong words after it. Styles draw the signs. */
function Inline({ text }: { text: string }) {
  const parts: readonly (string | undefined)[] = text.split(INLINE);
  return parts.map((part, at) => {
    if (part === undefined || at % 3 === 0) return part;
    return at % 3 === 1 ? <code key={at}>{part}</code> : <b key={at}>{part}</b>;
  });
}

function Sign({ children }: { children: string }) {
  return <span className="prose-sign">{children}</span>;
}
