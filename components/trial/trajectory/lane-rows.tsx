import { Bot } from "lucide-react";

import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { ALL_LANES } from "@/lib/core/domain/trajectory";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { LaneRow, StepBlock } from "@/lib/read/trial-reading";

import type { StepLinks } from "./step-links";

import "./lane-rows.css";

export function LaneRows({
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
          {formatPlural(nMore, "more subagent")} are not named here.{" "}
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
        <span className="step-mark step-mark-error">
          <Mark status="errored" />
          {formatPlural(nErrors, "error")}
        </span>
      )}
      {besides.length === 0 ? null : (
        <span className="muted cut">at the same time as {besides.join(", ")}</span>
      )}
      <span className="grow" />
      <span className="step-tokens" title="Tokens that it wrote">
        {formatCount(outputTokens)}
      </span>
      <span className="step-duration">{formatDuration(durationMs)}</span>
    </>
  );
  if (key === null) return <span className="row step-lane-row">{content}</span>;
  return isOpen === null ? (
    <Link className="row step-lane-row" href={links.step(key)} mode="stay">
      {content}
    </Link>
  ) : (
    <Link
      className="row step-lane-row step-lane-fold"
      href={links.lane(name, isOpen ? starter : null)}
      mode="stay"
      aria-expanded={isOpen}
    >
      {content}
    </Link>
  );
}
