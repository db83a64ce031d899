import type { ReactNode } from "react";

import { Link } from "@/components/ui/link";
import { Preformatted } from "@/components/ui/preformatted";
import { ShowAll } from "@/components/ui/show-all";
import type { TextBlock, TextLine } from "@/lib/core/domain/trial-file";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { StepBlock, StepView } from "@/lib/read/trial-reading";

import { EditBlock } from "./edit-block";
import { LaneRows } from "./lane-rows";
import { LongText } from "./long-text";
import { MediaBlock } from "./media-block";
import { endsInCode, ProseLines } from "./prose-lines";
import type { StepLinks } from "./step-links";
import { type MoreLinks, StepTree } from "./step-tree";
import { type Reading, TextLines, toText } from "./text-lines";

import "./step-blocks.css";

const PREVIEW_LINES = { output: 14, command: 14, prose: 10, arguments: 3 } as const;

/** Blocks in the order they happened. Plain text throughout. */
export function StepBlocks({
  step,
  links,
  isUnfolded,
}: {
  step: Pick<StepView, "blocks" | "key" | "file">;
  links: StepLinks;
  isUnfolded: boolean;
}) {
  const more = {
    step: links.step(step.key),
    all: <ShowAll href={links.artifact(step.file)} file={step.file} />,
    isUnfolded,
  };
  const isAlone = step.blocks.length === 1;
  const lines = step.blocks.map(countLines);
  return step.blocks.map((block, at) => {
    const line = lines.slice(0, at).reduce((sum, n) => sum + n, 1);
    return (
      <Block key={at} step={step} block={block} more={{ ...more, line }} links={links} isAlone={isAlone} />
    );
  });
}

/** Counts all lines, including folded and cut ones; an edit counts removed and added lines. */
function countLines(block: StepBlock): number {
  if (block.kind === "edit") return block.before.totalLines + block.after.totalLines;
  return "text" in block ? block.text.totalLines : 0;
}

function Block({
  step,
  block,
  more,
  links,
  isAlone,
}: {
  step: Pick<StepView, "key" | "file">;
  block: StepBlock;
  more: MoreLinks;
  links: StepLinks;
  isAlone: boolean;
}) {
  switch (block.kind) {
    case "prose":
      return (
        <Repeated block={block} more={more} links={links}>
          <Said role={block.role} text={block.text} isOpen={isAlone || more.isUnfolded}>
            <Folding
              text={block.text}
              preview={PREVIEW_LINES.prose}
              more={more}
              className="step-prose"
              reading="prose"
            />
          </Said>
        </Repeated>
      );
    case "command":
      return (
        <div className="step-command">
          {block.name === "" ? null : <b className="step-label">{block.name}</b>}
          <StepTree tree={block.tree} more={more}>
            <Folding text={block.text} preview={PREVIEW_LINES.command} more={more} className="step-pre" />
          </StepTree>
        </div>
      );
    case "arguments":
      return (
        <Folding
          text={block.text}
          preview={PREVIEW_LINES.arguments}
          more={more}
          className="step-pre step-arguments"
        />
      );
    case "edit":
      return <EditBlock before={block.before} after={block.after} more={more} />;
    case "output":
      return block.text.lines.length === 0 ? (
        <p className="step-label caption">No output.</p>
      ) : (
        <Repeated block={block} more={more} links={links}>
          <StepTree tree={block.tree} more={more}>
            <Folding
              text={block.text}
              preview={PREVIEW_LINES.output}
              more={more}
              className="step-pre"
              reading="output"
            />
          </StepTree>
        </Repeated>
      );
    case "image":
    case "audio":
      return <MediaBlock block={block} step={step} links={links} />;
    case "rest":
      return (
        <p className="step-label caption">
          {formatCount(block.n)} more calls and outputs of this step are in the file. {more.all}
        </p>
      );
    case "lanes":
      return <LaneRows block={block} starter={step.key} links={links} />;
  }
}

function Repeated({
  block: { repeats, text },
  more,
  links,
  children,
}: {
  block: Extract<StepBlock, { readonly repeats: string | null }>;
  more: MoreLinks;
  links: StepLinks;
  children: ReactNode;
}) {
  if (repeats === null) return children;
  return (
    <div className="step-repeated">
      <details open={more.isUnfolded} data-fold="">
        <summary>
          Same as step {repeats}, {formatPlural(text.totalLines, "line")}
        </summary>
        {children}
      </details>
      <Link href={links.step(repeats)} mode="stay">
        Go to step {repeats}
      </Link>
    </div>
  );
}

/** Folds reasoning after its first words: it takes most of the space and decides least. */
function Said({
  role,
  text: { lines, totalLines },
  isOpen,
  children,
}: {
  role: "message" | "reasoning";
  text: TextBlock;
  isOpen: boolean;
  children: ReactNode;
}) {
  if (role === "message") return <div className="step-say">{children}</div>;
  const first = lines.map(toText).find((line) => line.trim() !== "") ?? "";
  return (
    <details className="step-say step-reasoning" open={isOpen} data-fold="">
      <summary>
        <span className="muted nowrap">Reasoning, {formatPlural(totalLines, "line")}</span>
        <span className="cut">{first.slice(0, MAX_FIRST_CHARS).toWellFormed()}</span>
      </summary>
      {children}
    </details>
  );
}

/** Characters of a reasoning's first words; the rest of a row is not visible. */
const MAX_FIRST_CHARS = 120;

function Folding({
  text,
  preview,
  more,
  className,
  reading = "plain",
}: {
  text: TextBlock;
  preview: number;
  more: MoreLinks;
  className: string;
  reading?: Reading | "prose";
}) {
  // A button to show two more lines takes more space than the lines.
  const isShort = text.lines.length <= preview + 3;
  const shown = isShort ? text.lines : text.lines.slice(0, preview);
  const draw = (lines: readonly TextLine[]) =>
    reading === "prose" ? <ProseLines lines={lines} /> : <TextLines lines={lines} reading={reading} />;
  if (isShort && text.cutNote === null) {
    return (
      <Preformatted className={className} tabIndex={0} data-line={more.line}>
        {draw(shown)}
      </Preformatted>
    );
  }
  return (
    <LongText
      key={String(more.isUnfolded)}
      rest={text.lines.slice(shown.length)}
      totalLines={text.totalLines}
      cutNote={text.cutNote}
      more={more}
      reading={reading}
      isInCode={reading === "prose" && endsInCode(shown)}
      className={className}
    >
      {draw(shown)}
    </LongText>
  );
}
