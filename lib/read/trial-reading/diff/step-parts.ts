import type { TrajectoryStep } from "@/lib/core/domain/trajectory";

export interface StepPart {
  /** Has at most one call. Message, usage and duration of a split step stay with its first call. */
  readonly step: TrajectoryStep;
  /** Index of the call in its step; 0 of 1 for a whole step. */
  readonly nth: number;
  readonly count: number;
}

export function splitCalls(steps: readonly TrajectoryStep[]): readonly StepPart[] {
  return steps.flatMap((step): readonly StepPart[] => {
    const count = step.calls.length;
    if (count < 2) return [{ step, nth: 0, count: 1 }];
    return step.calls.map((call, nth) => ({
      step: {
        ...step,
        ...(nth === 0 ? { marks: describeMarks(step.marks) } : LATER),
        calls: [call],
        results: nth === count - 1 ? step.results : [],
      },
      nth,
      count,
    }));
  });
}

const LATER = { message: [], reasoning: null, marks: [], usage: null, durationMs: null } as const;

/** A mark does not record which call it comes from. */
function describeMarks(marks: TrajectoryStep["marks"]): TrajectoryStep["marks"] {
  return marks.map((mark) => ({ ...mark, label: `${mark.label} in this step` }));
}

/** Positions among all steps, from 0. A call of a step with several has a fraction. */
export function placePart({ step, nth, count }: StepPart): { readonly from: number; readonly to: number } {
  return { from: step.index + nth / count, to: step.index + (nth + 1) / count };
}
