"use client";

import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import { CLASSES, type FailureClass } from "@/lib/core/triage/classes";
import type { AgentModel } from "@/lib/pages/errors/scope";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import { trialsPageHref, type TrialsParams } from "@/lib/pages/trials/address";

/** Darkest shade, in percent of ink. */
const DARKEST = 34;

export interface HeatLine {
  readonly agentModel: AgentModel | null;
  readonly taskName: string | null;
  readonly nFailures: number;
  readonly nTrials: number;
  readonly trials: Partial<TrialsParams>;
  readonly counts: readonly number[];
  readonly differences: readonly ({ readonly said: string; readonly clear: string | null } | null)[];
}

interface Drawn {
  readonly classes: readonly FailureClass[];
  readonly params: TriageParams;
  readonly full: number;
}

/** Rendered in the browser too: its markup is several times its data. */
export function HeatRows({ lines, ...drawn }: Drawn & { lines: readonly HeatLine[] }) {
  // Tasks of two datasets may have one name.
  return lines.map((line, nth) => (
    <HeatCells
      key={line.agentModel?.name ?? `${String(nth)} ${line.taskName ?? ""}`}
      line={line}
      {...drawn}
    />
  ));
}

function HeatCells({ line, classes, params, full }: Drawn & { line: HeatLine }) {
  const { agentModel, taskName, nFailures, nTrials, counts } = line;
  return (
    <tr>
      <td className="name">
        {agentModel === null ? (
          <Link href={triageHref(params, { tasks: [taskName ?? ""], open: null })} className="quiet">
            {formatTask({ taskName: taskName ?? "" })}
          </Link>
        ) : (
          <Link href={triageHref(params, { agents: [agentModel.name], open: null })} className="quiet">
            <AgentName {...agentModel} />
          </Link>
        )}
      </td>
      <td className="numeric nowrap">
        <b>{formatCount(nFailures)}</b> <span className="muted">of {formatCount(nTrials)}</span>
      </td>
      {classes.map((failureClass, at) => (
        <td
          key={failureClass}
          className="numeric heat-cell"
          style={{ backgroundColor: shade((counts[at] ?? 0) / Math.max(1, nTrials) / full) }}
        >
          <CellCount line={line} at={at} failureClass={failureClass} />
        </td>
      ))}
    </tr>
  );
}

function shade(share: number): string | undefined {
  if (share <= 0) return undefined;
  const ink = Math.max(2, Math.round(Math.min(1, share) * DARKEST));
  return `color-mix(in srgb, var(--ink) ${ink}%, var(--paper))`;
}

function CellCount({
  line: { agentModel, taskName, trials, counts, differences },
  at,
  failureClass,
}: {
  line: HeatLine;
  at: number;
  failureClass: FailureClass;
}) {
  const n = counts[at] ?? 0;
  const difference = differences[at] ?? null;
  if (n === 0) return <span className="muted">0</span>;
  return (
    <Link
      href={trialsPageHref(null, { ...trials, failureClasses: [failureClass] })}
      title={`${agentModel?.name ?? taskName ?? ""}, ${CLASSES[failureClass].words}: ${formatPlural(n, "trial")}${difference === null ? "" : `, ${difference.said}`}`}
    >
      {formatCount(n)}
      {difference?.clear == null ? null : <small>{difference.clear}</small>}
    </Link>
  );
}
