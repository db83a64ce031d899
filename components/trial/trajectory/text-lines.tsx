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
      <ColouredLine key={row} line={line} />
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

function ColouredLine({ line }: { line: readonly TextSpan[] }) {
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
