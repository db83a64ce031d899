import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { OutlineStep, Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";
import { describeStep } from "@/lib/read/loader/detail";

const MAX_STEPS = 40;

export interface OpenPart {
  readonly key: string;
  readonly steps: readonly OutlineStep[];
  readonly nBefore: number;
  readonly nAfter: number;
}

export function openPart({ outline, steps }: Trajectory, current: TrajectoryStep | null): OpenPart | null {
  if (current === null) return null;
  const at = outline.findLastIndex(({ index }) => index <= current.index);
  const entry = outline[at];
  if (entry === undefined) return null;
  const part = steps.slice(entry.index + 1, outline[at + 1]?.index ?? steps.length);
  const wanted = current.index - entry.index - 1 - MAX_STEPS / 2;
  const from = Math.max(0, Math.min(wanted, part.length - MAX_STEPS));
  const named = part
    .slice(from, from + MAX_STEPS)
    .map((step) => ({ key: step.key, title: describeStep(step), marked: step.marks.length > 0 }));
  return new TextBounder(MAX_STEPS).bound({
    key: entry.key,
    steps: named,
    nBefore: from,
    nAfter: part.length - from - named.length,
  });
}
