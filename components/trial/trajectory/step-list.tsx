import {
  ChevronDown,
  Bot,
  CornerDownRight,
  FileText,
  MessageSquare,
  Pencil,
  Search,
  Settings2,
  SquareTerminal,
  User,
} from "lucide-react";
import type { Route } from "next";
import { Fragment, type ReactNode } from "react";

import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { ALL_LANES, type StepMark } from "@/lib/core/domain/trajectory";
import { sumTokens } from "@/lib/core/domain/trial";
import { WINDOW_STEPS } from "@/lib/core/domain/trial-lists";
import { formatCost, formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { FoldedSteps, StepView, TrialSteps } from "@/lib/read/trial-reading";

import { ScrollTo } from "../trial-controls";
import { ShowLine } from "./show-line";
import { SlideWindow, type WindowEnd } from "./slide-window";
import { StepBlocks, type StepLinks } from "./step-blocks";

export interface StepListLinks extends StepLinks {
  readonly from: (index: number) => Route;
  readonly unfiltered: Route;
}

export function StepList({
  panel,
  links,
  named,
  end,
}: {
  panel: TrialSteps;
  links: StepListLinks;
  named: { readonly step: string | null; readonly line: number | null };
  end: ReactNode;
}) {
  const shownTo = panel.offset + panel.steps.length;
  const hasHints = panel.steps.some((step) => step.marks.some((mark) => !mark.stated));
  return (
    <>
      <ListNotes panel={panel} links={links} />
      <ol className="steps">
        {panel.folded === null ? null : (
          <FoldRow folded={panel.folded} href={links.from(Math.max(0, panel.offset - WINDOW_STEPS))} />
        )}
        {panel.steps.map((step, at) => (
          <Fragment key={step.key}>
            {step.phase === null || step.phase === panel.steps[at - 1]?.phase ? null : (
              <li className="step-phase">{step.phase}</li>
            )}
            <StepRow
              step={step}
              links={links}
              isUnfolded={(panel.found !== null || named.line !== null) && step.isCurrent}
              end={findEnd(at, panel.steps.length)}
            />
          </Fragment>
        ))}
        {shownTo < panel.total ? (
          <li className="row step step-next">
            <ButtonLink href={links.from(shownTo)}>
              Show the next {Math.min(WINDOW_STEPS, panel.total - shownTo)} steps
            </ButtonLink>
            <span className="muted">
              {formatCount(panel.offset + 1)} to {formatCount(shownTo)} of {formatCount(panel.total)} are
              shown
            </span>
          </li>
        ) : (
          end
        )}
      </ol>
      {hasHints ? <p className="caption step-legend">Dotted marks are guesses from output text.</p> : null}
      <SlideWindow
        previous={panel.offset === 0 ? null : links.from(Math.max(0, panel.offset - SLIDE_STEPS))}
        next={shownTo < panel.total ? links.from(panel.offset + SLIDE_STEPS) : null}
      />
      {named.step === null || panel.currentKey === null ? null : (
        <>
          <ScrollTo key={panel.currentKey} id={`step-${panel.currentKey}`} block="nearest" focus="link" />
          {named.line === null ? null : <ShowLine step={panel.currentKey} line={named.line} />}
        </>
      )}
    </>
  );
}

function ListNotes({ panel, links }: { panel: TrialSteps; links: StepListLinks }) {
  return (
    <>
      {panel.nFitting < panel.nAll ? (
        <p className="step-note" role="status">
          {panel.nFitting === 0
            ? "No steps match the filter."
            : `${formatCount(panel.nFitting)} of ${formatPlural(panel.nAll, "step")} match the filter${describeSums(panel)}.`}{" "}
          <Link href={links.unfiltered} mode="replace">
            Show all steps
          </Link>
        </p>
      ) : null}
      {panel.total < panel.nFitting ? (
        <p className="step-note">
          {formatPlural(panel.nFitting - panel.total, "step")} of subagents are folded into the steps that
          started them.{" "}
          <Link href={links.lane(ALL_LANES, null)} mode="stay">
            Open all subagents
          </Link>
        </p>
      ) : null}
      {panel.isStepUnknown ? (
        <p className="step-note" role="status">
          This trajectory has no such step; the file may have changed.
        </p>
      ) : null}
    </>
  );
}

function describeSums({ sums: { durationMs, outputTokens, costUsd } }: TrialSteps): string {
  const said = [
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    ...(outputTokens === null ? [] : [`${formatCount(outputTokens)} tokens written`]),
    ...(costUsd === null ? [] : [`$${formatCost(costUsd)}`]),
  ];
  return said.length === 0 ? "" : `: ${said.join(", ")}`;
}

/** Steps the window moves by, keeping the visible ones, and the distance from its end that triggers it. */
const SLIDE_STEPS = 40;
const EDGE_STEPS = 10;

function findEnd(at: number, nSteps: number): WindowEnd | undefined {
  return at === EDGE_STEPS ? "previous" : at === nSteps - 1 - EDGE_STEPS ? "next" : undefined;
}

function FoldRow({ folded, href }: { folded: FoldedSteps; href: Route }) {
  const range = folded.count === 1 ? folded.firstKey : `${folded.firstKey}–${folded.lastKey}`;
  return (
    <li className="step step-fold">
      <Link className="row choice step-head" href={href} mode="stay" data-row-link="">
        <span className="step-number">{range}</span>
        <ChevronDown size={16} strokeWidth={1.5} aria-hidden className="step-icon" />
        <b className="cut">{formatPlural(folded.count, "step")}</b>
        <code className="cut grow" title={folded.titles.join(", ")}>
          {folded.titles.join(", ")}
        </code>
        {folded.nMarked === 0 ? null : (
          <span className="status-word step-mark step-mark-error">
            {formatPlural(folded.nMarked, "error")}
          </span>
        )}
        <span className="step-duration">{formatDuration(folded.durationMs)}</span>
      </Link>
    </li>
  );
}

const TOOL_ICONS: readonly (readonly [RegExp, typeof Bot])[] = [
  [/bash|shell|exec|terminal|command|stdin|run/iu, SquareTerminal],
  [/edit|write|patch|replace|create|file_change/iu, Pencil],
  [/read|view|open|cat/iu, FileText],
  [/grep|glob|search|find|list/iu, Search],
  [/task|agent|delegate/iu, Bot],
];

export function StepIcon({ step }: { step: StepView }) {
  const isTool = step.verb !== step.source;
  const tool = isTool ? TOOL_ICONS.find(([pattern]) => pattern.test(step.verb))?.[1] : undefined;
  const Icon = tool ?? (step.source === "user" ? User : step.source === "system" ? Settings2 : MessageSquare);
  return <Icon size={16} strokeWidth={1.5} aria-hidden className="step-icon" />;
}

const INDENT_PX = 24;

function StepRow(props: {
  step: StepView;
  links: StepLinks;
  isUnfolded: boolean;
  end: WindowEnd | undefined;
}) {
  const { step, links, isUnfolded, end } = props;
  const classes = ["step", step.isCurrent ? "step-current" : "", step.copied ? "step-copied" : ""];
  return (
    <li
      id={`step-${step.key}`}
      className={classes.filter(Boolean).join(" ")}
      style={step.depth === 0 ? undefined : { paddingLeft: `min(${INDENT_PX * step.depth}px, 30%)` }}
      data-step={step.key}
      data-window-end={end}
    >
      <div className="row step-head">
        <Link
          className="step-number"
          href={links.step(step.key)}
          mode="stay"
          data-row-link=""
          aria-current={step.isCurrent ? "step" : undefined}
          title={describeNumber(step)}
          aria-label={`Step ${step.key}`}
        >
          {step.depth === 0 ? step.key : step.key.split(".").at(-1)}
        </Link>
        {step.depth > 0 ? (
          <CornerDownRight size={16} strokeWidth={1.5} aria-hidden className="step-icon" />
        ) : (
          <StepIcon step={step} />
        )}
        {step.depth > 0 && step.lane !== "main" ? <span className="step-lane cut">{step.lane}</span> : null}
        <b className="cut">{step.verb}</b>
        <code className="cut grow" title={step.headline}>
          {step.headline}
        </code>
        {step.nMoreCalls > 0 ? <span className="muted nowrap">and {step.nMoreCalls} more</span> : null}
        {step.copied ? <span className="caption nowrap">copied context</span> : null}
        {step.marks.map((mark) => (
          <StepMarkWord key={mark.label} mark={mark} />
        ))}
        {step.nMoreMarks > 0 ? (
          <span className="caption nowrap">and {formatCount(step.nMoreMarks)} more marks</span>
        ) : null}
        <span className="step-tokens" title={describeUsage(step)}>
          {formatCount(step.usage === null ? null : sumTokens(step.usage))}
        </span>
        <span className="step-duration" title="Recorded duration, or the time until the next step">
          {formatDuration(step.durationMs)}
        </span>
      </div>
      <StepBlocks step={step} links={links} isUnfolded={isUnfolded} />
    </li>
  );
}

function describeNumber(step: StepView): string {
  const stated = step.statedId === null ? "" : `, written as step ${step.statedId} in its file`;
  return `Link to step ${step.key}${stated}${step.at === null ? "" : `, ${step.at}`}`;
}

function describeUsage({ usage }: StepView): string | undefined {
  if (usage === null) return undefined;
  const { inputTokens, outputTokens, costUsd } = usage;
  return `${formatCount(inputTokens)} tokens in context, ${formatCount(outputTokens)} written, cost ${costUsd === null ? MISSING : `$${formatCost(costUsd)}`}`;
}

export function StepMarkWord({ mark }: { mark: StepMark }) {
  const failed = mark.kind === "tests-failed";
  return (
    <span
      className={`status-word step-mark ${failed ? "step-mark-failed" : "step-mark-error"}`}
      title={mark.stated ? "Recorded in the trajectory." : "Guessed from the output text."}
    >
      <Mark status={failed ? "failed" : "errored"} />
      <span className={mark.stated ? "" : "step-mark-hint"}>{mark.label}</span>
    </span>
  );
}
