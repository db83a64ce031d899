import {
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
import Link from "next/link";

import type { StepMark } from "@/lib/domain/trajectory";
import { formatCount, MISSING } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { StepView } from "@/lib/trial-reading";

import { StepBlocks, type StepLinks } from "./step-blocks";

const TOOL_ICONS: readonly (readonly [RegExp, typeof Bot])[] = [
  [/bash|shell|exec|terminal|command|stdin|run/iu, SquareTerminal],
  [/edit|write|patch|replace|create|file_change/iu, Pencil],
  [/read|view|open|cat/iu, FileText],
  [/grep|glob|search|find|list/iu, Search],
  [/task|agent|delegate/iu, Bot],
];

function StepIcon({ step }: { step: StepView }) {
  const isTool = step.verb !== step.source;
  const tool = isTool ? TOOL_ICONS.find(([pattern]) => pattern.test(step.verb))?.[1] : undefined;
  const Icon = tool ?? (step.source === "user" ? User : step.source === "system" ? Settings2 : MessageSquare);
  return <Icon size={16} strokeWidth={1.5} aria-hidden className="step-icon" />;
}

/** A step: its head on one line, and what it holds below. */
export function StepRow({ step, links }: { step: StepView; links: StepLinks }) {
  const classes = ["step", step.isCurrent ? "step-current" : "", step.copied ? "step-copied" : ""];
  return (
    <li
      id={`step-${step.key}`}
      className={`${classes.filter(Boolean).join(" ")} step-depth-${Math.min(step.depth, 3)}`}
      data-step={step.key}
    >
      <div className="step-head">
        <Link
          className="step-number"
          href={links.step(step.key)}
          scroll={false}
          prefetch={false}
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
        {step.depth > 0 ? <span className="step-lane cut">{step.lane}</span> : null}
        <b>{step.verb}</b>
        <code className="cut step-headline" title={step.headline}>
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
        <span className="step-tokens">{step.tokens === null ? MISSING : formatCount(step.tokens)}</span>
        <span className="step-duration">{formatDuration(step.durationMs)}</span>
      </div>
      <StepBlocks step={step} links={links} />
    </li>
  );
}

function describeNumber(step: StepView): string {
  const stated = step.statedId === null ? "" : `, written as step ${step.statedId} in its file`;
  return `Link to step ${step.key}${stated}${step.at === null ? "" : `, ${step.at}`}`;
}

function StepMarkWord({ mark }: { mark: StepMark }) {
  const failed = mark.kind === "tests-failed";
  return (
    <span
      className={`step-mark ${failed ? "step-mark-failed" : "step-mark-error"}`}
      title={mark.stated ? "The trajectory states it." : "Read out of the output, so it can be wrong."}
    >
      <svg width={12} height={12} aria-hidden="true">
        <use href={failed ? "#mark-failed" : "#mark-errored"} />
      </svg>
      <span className={mark.stated ? "" : "step-mark-hint"}>{mark.label}</span>
    </span>
  );
}
