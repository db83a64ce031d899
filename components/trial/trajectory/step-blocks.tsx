import { Bot } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Preformatted } from "@/components/ui/preformatted";
import { ShowAll } from "@/components/ui/show-all";
import { withBasePath } from "@/lib/core/domain/base-path";
import { ALL_LANES } from "@/lib/core/domain/trajectory";
import type { TextBlock, TextLine } from "@/lib/core/domain/trial-file";
import { formatCount, formatPlural, formatBytes } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { StepBlock, StepView, LaneRow } from "@/lib/read/trial-reading";

import { type MoreLinks, StepTree } from "../json-tree";

import "./trajectory.css";
import { EditBlock } from "./edit-block";
import { LongText } from "./long-text";
import { ProseLines, TextLines, endsInCode, toText } from "./text-lines";

export interface StepLinks {
  readonly step: (key: string) => Route;
  readonly artifact: (file: string) => Route;
  /** Lists a subagent's steps; with the step that started it as `starter`, closes them again. */
  readonly lane: (name: string, starter: string | null) => Route;
  readonly image: (step: Pick<StepView, "key" | "file">, nth: number) => Route;
}

const LOOKS = {
  prose: { preview: 10, className: "prose step-prose", reading: "prose" },
  command: { preview: 14, className: "step-pre", reading: "plain" },
  arguments: { preview: 3, className: "step-pre step-arguments", reading: "plain" },
  output: { preview: 14, className: "step-pre", reading: "output" },
} as const;

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
            <Folding block={block} more={more} />
          </Said>
        </Repeated>
      );
    case "command":
      return (
        <div className="step-command">
          {block.name === "" ? null : <b className="step-label">{block.name}</b>}
          <StepTree tree={block.tree} more={more}>
            <Folding block={block} more={more} />
          </StepTree>
        </div>
      );
    case "arguments":
      return <Folding block={block} more={more} />;
    case "edit":
      return <EditBlock before={block.before} after={block.after} more={more} />;
    case "output":
      return block.text.lines.length === 0 ? (
        <p className="step-label caption">No output.</p>
      ) : (
        <Repeated block={block} more={more} links={links}>
          <StepTree tree={block.tree} more={more}>
            <Folding block={block} more={more} />
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
  block: { kind, text },
  more,
}: {
  block: Extract<StepBlock, { kind: keyof typeof LOOKS }>;
  more: MoreLinks;
}) {
  const { preview, className, reading } = LOOKS[kind];
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

function LaneRows({
  block: { lanes, nMore },
  starter,
  links,
}: {
  block: Extract<StepBlock, { kind: "lanes" }>;
  starter: string;
  links: StepLinks;
}) {
  return (
    <ul className="step-lanes" aria-label="Subagents">
      {lanes.map((lane) => (
        <li key={lane.name}>
          <Lane lane={lane} starter={starter} links={links} />
        </li>
      ))}
      {nMore === 0 ? null : (
        <li className="caption">
          {formatPlural(nMore, "more subagent")} not listed.{" "}
          <Link href={links.lane(ALL_LANES, null)} mode="stay">
            Open all subagents
          </Link>
        </li>
      )}
    </ul>
  );
}

function Lane({ lane, starter, links }: { lane: LaneRow; starter: string; links: StepLinks }) {
  const { name, key, isOpen, nSteps, nErrors, durationMs, outputTokens, besides } = lane;
  const content = (
    <>
      <Bot size={16} strokeWidth={1.5} aria-hidden className="step-icon" />
      <b className="cut">{name}</b>
      <span className="muted nowrap">{nSteps === 0 ? "no steps" : formatPlural(nSteps, "step")}</span>
      {nErrors === 0 ? null : (
        <span className="status-word step-mark step-mark-error">
          <Mark status="errored" />
          {formatPlural(nErrors, "error")}
        </span>
      )}
      {besides.length === 0 ? null : (
        <span className="muted cut">at the same time as {besides.join(", ")}</span>
      )}
      <span className="grow" />
      <span className="step-tokens" title="Output tokens">
        {formatCount(outputTokens)}
      </span>
      <span className="step-duration">{formatDuration(durationMs)}</span>
    </>
  );
  if (key === null) return <span className="row step-lane-row">{content}</span>;
  const fold = isOpen === null ? "" : " step-lane-fold";
  return (
    <Link
      className={`row choice step-lane-row${fold}`}
      href={isOpen === null ? links.step(key) : links.lane(name, isOpen ? starter : null)}
      mode="stay"
      aria-expanded={isOpen ?? undefined}
    >
      {content}
    </Link>
  );
}

type Media = Extract<StepBlock, { kind: "image" | "audio" }>;

/** Served unchanged by a route that verifies the type; otherwise says why it is not shown. */
function MediaBlock({
  block,
  step,
  links,
}: {
  block: Media;
  step: Pick<StepView, "key" | "file">;
  links: StepLinks;
}) {
  if (block.kind === "image" && block.embedded !== null) {
    const { nth, type, sizeBytes } = block.embedded;
    const name = `${type}, ${formatBytes(sizeBytes)}, in the trace`;
    return <Picture href={links.image(step, nth)} name={name} />;
  }
  if (block.path === null) return <p className="step-label caption">{block.note}</p>;
  const href = links.artifact(block.path);
  if (block.kind === "image") return <Picture href={href} name={block.path} />;
  return (
    <figure className="step-audio">
      {/* Nothing is loaded before it is played, and then part by part. */}
      <audio src={withBasePath(href)} controls preload="none" aria-label={block.path} />
      <figcaption className="caption">
        {block.path}
        {block.durationSec === null ? "" : `, ${formatDuration(block.durationSec * 1000)}`}
      </figcaption>
    </figure>
  );
}

function Picture({ href, name }: { href: string; name: string }) {
  return (
    <figure className="step-image">
      {/* oxlint-disable-next-line nextjs/no-img-element -- the optimiser would fetch and rewrite evidence */}
      <img src={withBasePath(href)} alt={`Image ${name}`} loading="lazy" />
      <figcaption className="caption">
        <a href={withBasePath(href)} target="_blank" rel="noreferrer">
          {name}
        </a>
      </figcaption>
    </figure>
  );
}
