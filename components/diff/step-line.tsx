import { ChevronRight } from "lucide-react";
import type { Route } from "next";

import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { DiffPage, DiffTrial } from "@/lib/pages/diff/page";
import { artifactHref, openTrialHref, stepImageHref } from "@/lib/pages/trial/address";
import type { DiffCell, StepPair, FoldedCell } from "@/lib/read/trial-reading";

import { StepBlocks, type StepLinks } from "../trial/trajectory/step-blocks";
import { StepIcon, StepMarkWord } from "../trial/trajectory/step-list";

const RELATION_WORDS = {
  same: "same",
  result: "result differs",
  call: "call differs",
  text: "text differs",
  "only-a": "only A",
  "only-b": "only B",
} as const;

export function StepLine({ line, page, href }: { line: StepPair; page: DiffPage; href: Route }) {
  const { relation, isFolded, isDivergence, isCurrent, from, to } = line;
  const count = isFolded ? `${formatCount(to - from)} ` : "";
  const words = `${count}${RELATION_WORDS[relation]}`;
  return (
    <li id={`row-${from + 1}`} className={`step-pair ${nameLook(line)}`}>
      {isDivergence ? (
        <p className="pair-band">
          <b>First divergence</b> {describeDivergence(line)}
        </p>
      ) : null}
      <Cell cell={line.a} trial={page.a} letter="A" foldHref={href} />
      <div className="pair-gutter">
        <Link
          href={href}
          mode="stay"
          data-row-link=""
          aria-current={isCurrent ? "step" : undefined}
          aria-label={`${isFolded ? "Rows" : "Row"} ${from + 1}${isFolded ? ` to ${to}` : ""}: ${words}`}
          title={isFolded ? "Unfold" : "Link to this row"}
        >
          {words}
        </Link>
        {line.doWordsDiffer ? <span className="caption">words differ</span> : null}
        {line.hasMedia ? <span className="caption">images and audio not compared</span> : null}
      </div>
      <Cell cell={line.b} trial={page.b} letter="B" foldHref={href} />
    </li>
  );
}

function nameLook({ relation, isDivergence, isCurrent }: StepPair): string {
  const names = [`pair-${relation}`, isDivergence ? "pair-divergence" : "", isCurrent ? "pair-current" : ""];
  return names.filter(Boolean).join(" ");
}

export function StepPane(props: {
  lines: readonly StepPair[];
  page: DiffPage;
  letter: "A" | "B";
  hrefOf: (row: number) => Route;
}) {
  const { lines, page, letter, hrefOf } = props;
  const side = letter === "A" ? "a" : "b";
  return (
    <section className="pair-pane" aria-label={`Steps of ${letter}`} tabIndex={0}>
      <ol>
        {lines
          .filter((line) => line[side] !== null)
          .map((line) => (
            <li key={line.from} id={`row-${line.from + 1}-${letter}`} className={nameLook(line)}>
              <Link className="caption" href={hrefOf(line.from + 1)} mode="stay" data-row-link="">
                {RELATION_WORDS[line.relation]}
              </Link>
              <Cell cell={line[side]} trial={page[side]} letter={letter} foldHref={hrefOf(line.from + 1)} />
            </li>
          ))}
      </ol>
    </section>
  );
}

function describeDivergence({ relation, a, b }: StepPair): string {
  const verb = (cell: DiffCell) => (cell?.kind === "step" ? cell.step.verb : "");
  if (relation === "only-a") return `A calls ${verb(a)}; B does not.`;
  if (relation === "only-b") return `B calls ${verb(b)}; A does not.`;
  if (relation === "call") return `Both call ${verb(a)}, with different arguments.`;
  return "Neither makes a call; this is the first differing text.";
}

function Cell({
  cell,
  trial,
  letter,
  foldHref,
}: {
  cell: DiffCell;
  trial: DiffTrial;
  letter: "A" | "B";
  foldHref: Route;
}) {
  if (cell === null)
    return (
      <div className="pair-cell pair-none">
        <span className="screen-reader">Nothing in {letter}</span>
      </div>
    );
  return (
    <div className="pair-cell" data-letter={letter}>
      {cell.kind === "fold" ? (
        <FoldedSteps fold={cell.fold} href={foldHref} />
      ) : (
        <Step cell={cell} trial={trial} letter={letter} />
      )}
    </div>
  );
}

function FoldedSteps({
  fold: { count, firstKey, lastKey, verbs, nMarked },
  href,
}: {
  fold: FoldedCell;
  href: Route;
}) {
  return (
    <Link className="row choice step-head pair-fold" href={href} mode="stay" tabIndex={-1}>
      <span className="step-number">{firstKey}</span>
      <ChevronRight size={16} strokeWidth={1.5} aria-hidden className="step-icon" />
      <b className="cut">{formatPlural(count, "step")}</b>
      <span className="cut grow">
        to {lastKey}: {verbs.map(({ verb, count: n }) => `${verb} ${formatCount(n)}`).join(", ")}
      </span>
      {nMarked === 0 ? null : (
        <span className="status-word step-mark step-mark-error">{formatPlural(nMarked, "error")}</span>
      )}
    </Link>
  );
}

function Step({
  cell: { step, nth, count },
  trial: { at },
  letter,
}: {
  cell: Extract<DiffCell, { readonly kind: "step" }>;
  trial: DiffTrial;
  letter: string;
}) {
  const links: StepLinks = {
    step: (key) => openTrialHref(at, { step: key }),
    artifact: (file) => artifactHref(at.jobKey, at.trialKey, file),
    lane: (_, starter) => openTrialHref(at, { step: starter }),
    image: (shown, nth) => stepImageHref(at, shown, nth, null),
  };
  return (
    <>
      <div className="row step-head">
        <Link
          className="step-number"
          href={links.step(step.key)}
          title={`Open step ${step.key} of ${letter} on its page`}
          aria-label={`Step ${step.key} of ${letter}`}
        >
          {step.depth === 0 ? step.key : step.key.split(".").at(-1)}
        </Link>
        <StepIcon step={step} />
        {step.depth > 0 ? <span className="step-lane cut">{step.lane}</span> : null}
        <b className="cut">{step.verb}</b>
        <code className="cut grow" title={step.headline}>
          {step.headline}
        </code>
        {count > 1 ? (
          <span className="muted nowrap">
            call {nth + 1} of {count}
          </span>
        ) : null}
        {step.marks.map((mark) => (
          <StepMarkWord key={mark.label} mark={mark} />
        ))}
        {nth > 0 ? null : <span className="muted nowrap">{formatDuration(step.durationMs)}</span>}
      </div>
      <StepBlocks step={step} links={links} isUnfolded={false} />
    </>
  );
}
