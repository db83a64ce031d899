import type { TextLine } from "@/lib/core/domain/trial-file";

import { Spans, toText } from "./text-lines";

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
