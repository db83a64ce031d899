import type { FileContent } from "@/lib/core/domain/file-view";

import { ScrollTo } from "../scroll-to";
import { TextLines } from "../trajectory/text-lines";

const SOUGHT_LINE = "sought-line";

export function FileText({ content: { text, sought } }: { content: Extract<FileContent, { kind: "text" }> }) {
  const { lines } = text;
  return (
    <div className="file-lines">
      <pre className="file-text" tabIndex={0}>
        <span className="file-numbers" aria-hidden>
          {writeNumbers(text)}
        </span>
        <code data-line={text.firstLine ?? undefined}>
          {sought === null ? (
            <TextLines lines={lines} reading="output" />
          ) : (
            <>
              <TextLines lines={lines.slice(0, sought)} reading="output" />
              <mark id={SOUGHT_LINE} className="file-line">
                <TextLines lines={lines.slice(sought, sought + 1)} reading="output" />
              </mark>
              <TextLines lines={lines.slice(sought + 1)} reading="output" />
            </>
          )}
        </code>
      </pre>
      {sought === null ? null : <ScrollTo id={SOUGHT_LINE} block="center" focus="pre" />}
    </div>
  );
}

function writeNumbers({ lines, goesOn, firstLine }: Extract<FileContent, { kind: "text" }>["text"]): string {
  if (firstLine === null) return "";
  const inside = new Set(goesOn);
  let line = inside.has(0) ? firstLine : firstLine - 1;
  return lines.map((_, row) => (inside.has(row) ? "" : String(++line))).join("\n");
}
