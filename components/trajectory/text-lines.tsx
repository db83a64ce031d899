import type { TextLine } from "@/lib/domain/trial-file";

const FAILURE =
  /^E {2,}|^(?:FAILED|ERROR|FAIL)\b|\bFAILED$|^Traceback \(most recent call last\)|^[\w.]*(?:Error|Exception): /u;

/**
 * Lines of prepared text, as text nodes and spans only. `hints` colours lines that look like failures; it is a reading aid
 * and touches lines without colours of their own only.
 */
export function TextLines({ lines, hints = false }: { lines: readonly TextLine[]; hints?: boolean }) {
  return lines.map((line, row) => (
    <LineOf key={row} line={line} isFailure={hints && typeof line === "string" && FAILURE.test(line)} />
  ));
}

function LineOf({ line, isFailure }: { line: TextLine; isFailure: boolean }) {
  if (typeof line === "string")
    return isFailure ? <span className="tone-failure">{`${line}\n`}</span> : `${line}\n`;
  return (
    <>
      {line.map((span, at) => (
        <span
          key={at}
          className={[span.tone === null ? "" : `tone-${span.tone}`, span.strong ? "tone-strong" : ""]
            .join(" ")
            .trim()}
        >
          {span.text}
        </span>
      ))}
      {"\n"}
    </>
  );
}
