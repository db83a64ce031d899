import type { TextBlock, TextLine } from "@/lib/core/domain/trial-file";
import { formatPlural } from "@/lib/core/format/number";

import type { MoreLinks } from "../json-tree";
import { LongText } from "./long-text";
import { Spans, toText } from "./text-lines";

const PREVIEW_LINES = 24;
const CLASSES = { "+": "diff-added", "-": "diff-removed", " ": "diff-kept" } as const;

interface DiffLine {
  readonly sign: keyof typeof CLASSES;
  readonly line: TextLine;
}

export function EditBlock({ before, after, more }: { before: TextBlock; after: TextBlock; more: MoreLinks }) {
  const lines = prepareDiff(before.lines, after.lines);
  const shown = lines.slice(0, PREVIEW_LINES);
  return (
    <>
      <pre className="step-pre step-diff" tabIndex={0}>
        {shown.map(({ sign, line }, row) => (
          <span key={row} className={CLASSES[sign]}>
            {`${sign} `}
            <Spans line={line} />
            {"\n"}
          </span>
        ))}
      </pre>
      {shown.length === lines.length && before.cutNote === null && after.cutNote === null ? null : (
        <LongText
          key={String(more.isUnfolded)}
          rest={lines.slice(shown.length).map(writeSign)}
          totalLines={lines.length}
          cutNote={after.cutNote ?? before.cutNote}
          more={{ ...more, line: undefined }}
          reading="plain"
          className="step-pre step-continued"
        >
          {null}
        </LongText>
      )}
    </>
  );
}

function writeSign({ sign, line }: DiffLine): TextLine {
  return typeof line === "string"
    ? `${sign} ${line}`
    : [{ text: `${sign} `, tone: null, strong: false }, ...line];
}

function prepareDiff(before: readonly TextLine[], after: readonly TextLine[]): readonly DiffLine[] {
  const [from, to] = [before.map(toText), after.map(toText)];
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head++;
  let tail = 0;
  const room = Math.min(from.length, to.length) - head;
  while (tail < room && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const end = before.length - tail;
  const sign = (mark: DiffLine["sign"]) => (line: TextLine) => ({ sign: mark, line });
  const equal = (n: number): readonly DiffLine[] =>
    n <= 0
      ? []
      : [{ sign: " ", line: [{ text: `… ${formatPlural(n, "equal line")}`, tone: "dim", strong: false }] }];
  return [
    ...equal(head - 1),
    ...before.slice(Math.max(0, head - 1), head).map(sign(" ")),
    ...before.slice(head, end).map(sign("-")),
    ...after.slice(head, after.length - tail).map(sign("+")),
    ...before.slice(end, end + 1).map(sign(" ")),
    ...equal(tail - 1),
  ];
}
