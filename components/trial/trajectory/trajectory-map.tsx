import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { stepHref, type TrialParams } from "@/lib/addresses/trial";
import { formatCount, formatPlural } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { TrialPage } from "@/lib/queries/trial/page";
import type { Timeline } from "@/lib/trial-reading";

import { AsideSection } from "../trial-parts";

import "./trajectory-map.css";

/** The outline of a trajectory in the left column: its parts, each a link to its first step. Nothing without one. */
export function Outline({
  page: { at, trajectory },
  search,
  currentKey,
}: {
  page: TrialPage;
  search: TrialParams;
  /** Step that is open; null where none is. */
  currentKey: string | null;
}) {
  const { outline, outlineTotal } = trajectory;
  if (outline.length === 0) return null;
  return (
    <AsideSection title="Outline">
      <ol className="outline">
        {outline.map(({ key, title, marked }) => (
          <li key={key}>
            <Link
              href={stepHref(at, search, { step: key })}
              mode="stay"
              aria-current={key === currentKey ? "step" : undefined}
            >
              <span className="cut grow" title={title}>
                {title}
              </span>
              {marked ? <Mark status="errored" label="has an error" /> : null}
              <span>{key}</span>
            </Link>
          </li>
        ))}
      </ol>
      {outlineTotal > outline.length ? (
        <p className="caption">
          {outline.length} of {formatCount(outlineTotal)} steps shown.
        </p>
      ) : null}
    </AsideSection>
  );
}

const WIDTH = 1000;

/** Where the time of a trial went: phases and steps to scale, a bar above each step with an error, the open one in the accent. */
export function TimelineFigure({ timeline, currentKey }: { timeline: Timeline; currentKey: string | null }) {
  const marked = timeline.segments.filter((segment) => segment.marked);
  return (
    <figure className="timeline">
      <svg
        viewBox={`0 0 ${WIDTH} 20`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describe(timeline, marked.length)}
      >
        {timeline.segments.map((segment, at) => {
          const x = segment.start * WIDTH;
          const width = Math.max(1.5, segment.width * WIDTH - 1.5);
          const kind =
            segment.kind === "phase"
              ? "timeline-phase"
              : segment.stepKey === currentKey
                ? "timeline-current"
                : "timeline-step";
          return (
            <g key={at}>
              <rect className={kind} x={x} y={10} width={width} height={8} />
              {segment.marked ? (
                <rect className="timeline-mark" x={x} y={4} width={Math.max(3, width)} height={3} />
              ) : null}
            </g>
          );
        })}
      </svg>
      <figcaption className="caption">
        <span>set-up {formatDuration(timeline.setupMs)}</span>
        <span>agent {formatDuration(timeline.agentMs)}</span>
        {marked.length === 0 ? null : (
          <span>{formatPlural(marked.length, "step with an error", "steps with an error")}</span>
        )}
        <span className="timeline-end">verifier {formatDuration(timeline.verifierMs)}</span>
      </figcaption>
    </figure>
  );
}

function describe(timeline: Timeline, nMarked: number): string {
  const parts = [`set-up ${formatDuration(timeline.setupMs)}`, `agent ${formatDuration(timeline.agentMs)}`];
  return `Time: ${[...parts, `verifier ${formatDuration(timeline.verifierMs)}`].join(", ")}; ${nMarked} steps with an error`;
}
