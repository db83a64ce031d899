import { ChevronDown, ChevronLeft, ChevronRight } from "lucide-react";
import type { Route } from "next";
import Link from "next/link";
import { Fragment, type ReactNode } from "react";

import { ButtonLink } from "@/components/ui/button";
import { formatCount, formatPlural } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { FoldedSteps, TrajectoryPanel } from "@/lib/trial-reading";

import { ScrollToStep } from "./scroll-to-step";
import type { StepLinks } from "./step-blocks";
import { StepRow } from "./step-row";

import "./trajectory.css";

/** Links of the list besides those of its steps. */
export interface StepListLinks extends StepLinks {
  readonly from: (index: number) => Route;
}

/** A window of a trajectory: what came before folded into a row, the steps, and the way to the next ones. */
export function StepList({
  panel,
  links,
  isStepNamed,
  windowSteps,
  end,
}: {
  panel: TrajectoryPanel;
  links: StepListLinks;
  isStepNamed: boolean;
  windowSteps: number;
  /** Row after the last step of the trial. */
  end: ReactNode;
}) {
  const shownTo = panel.offset + panel.steps.length;
  const hasHints = panel.steps.some((step) => step.marks.some((mark) => !mark.stated));
  return (
    <>
      {panel.isStepUnknown ? (
        <p className="step-note" role="status">
          This trajectory has no step of that name; it may have been written again since the link was made.
        </p>
      ) : null}
      <div className="step-columns">
        <span className="step-number">Step</span>
        <span className="step-icon" />
        <span className="step-headline">Action</span>
        <MarkNavigator panel={panel} links={links} />
        <span className="step-tokens" title="Prompt and completion tokens of the step">
          Tokens
        </span>
        <span className="step-duration" title="Time until the next step">
          Duration
        </span>
      </div>
      <ol className="steps">
        {panel.folded === null ? null : (
          <FoldRow folded={panel.folded} href={links.from(Math.max(0, panel.offset - windowSteps))} />
        )}
        {panel.steps.map((step, at) => (
          <Fragment key={step.key}>
            {step.phase === null || step.phase === panel.steps[at - 1]?.phase ? null : (
              <li className="step-phase">{step.phase}</li>
            )}
            <StepRow step={step} links={links} />
          </Fragment>
        ))}
        {shownTo < panel.total ? (
          <li className="step step-next">
            <ButtonLink href={links.from(shownTo)}>
              Show the next {Math.min(windowSteps, panel.total - shownTo)} steps
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
      {hasHints ? (
        <p className="caption step-legend">
          Marks with a dotted line are read out of output text and can be wrong. Tokens: prompt and
          completion. Duration: until the next step.
        </p>
      ) : null}
      {isStepNamed && panel.currentKey !== null ? (
        <ScrollToStep key={panel.currentKey} stepKey={panel.currentKey} />
      ) : null}
    </>
  );
}

function FoldRow({ folded, href }: { folded: FoldedSteps; href: Route }) {
  const range = folded.count === 1 ? folded.firstKey : `${folded.firstKey}–${folded.lastKey}`;
  return (
    <li className="step step-fold">
      <Link className="step-head" href={href} scroll={false} prefetch={false} data-row-link="">
        <span className="step-number">{folded.count > 99 ? folded.firstKey : range}</span>
        <ChevronDown size={16} strokeWidth={1.5} aria-hidden className="step-icon" />
        <b>{formatPlural(folded.count, "step")}</b>
        <code className="cut step-headline" title={folded.titles.join(", ")}>
          {folded.titles.join(", ")}
        </code>
        {folded.nMarked === 0 ? null : (
          <span className="step-mark step-mark-error">{folded.nMarked} marked</span>
        )}
        <span className="step-duration">{formatDuration(folded.durationMs)}</span>
      </Link>
    </li>
  );
}

function MarkNavigator({ panel, links }: { panel: TrajectoryPanel; links: StepLinks }) {
  const keys = panel.markedKeys;
  if (keys.length === 0 || (keys.length === 1 && keys[0] === panel.currentKey)) return null;
  const at = panel.currentKey === null ? -1 : keys.indexOf(panel.currentKey);
  const previous = at > 0 ? keys[at - 1] : undefined;
  const next = keys[at + 1];
  return (
    <span className="mark-navigator">
      {at === -1
        ? formatPlural(keys.length, "marked step")
        : `${at + 1} of ${formatPlural(keys.length, "marked step")}`}
      <NavigatorLink
        stepKey={previous}
        links={links}
        label="Previous marked step"
        icon={<ChevronLeft size={14} aria-hidden />}
      />
      <NavigatorLink
        stepKey={next}
        links={links}
        label="Next marked step"
        icon={<ChevronRight size={14} aria-hidden />}
      />
    </span>
  );
}

function NavigatorLink({
  stepKey,
  links,
  label,
  icon,
}: {
  stepKey: string | undefined;
  links: StepLinks;
  label: string;
  icon: ReactNode;
}) {
  if (stepKey === undefined) return <span className="mark-navigator-none">{icon}</span>;
  return (
    <Link href={links.step(stepKey)} scroll={false} prefetch={false} title={label} aria-label={label}>
      {icon}
    </Link>
  );
}
