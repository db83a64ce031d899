import type { TrajectoryStep } from "@/lib/domain/trajectory";

/** A step, or one of several calls of a step as a step of its own. */
export interface StepPart {
  /** With one call at most; what the whole step says and took is with its first call. */
  readonly step: TrajectoryStep;
  /** Of the calls of its step: which one, from 0, and how many there are; 0 of 1 for a whole step. */
  readonly nth: number;
  readonly count: number;
}

/** Steps with a call each: one with several calls becomes as many, which keep its key and index. */
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

/** Which call a mark was read out of is not known. */
function describeMarks(marks: TrajectoryStep["marks"]): TrajectoryStep["marks"] {
  return marks.map((mark) => ({ ...mark, label: `${mark.label} in this step` }));
}

/** Where a part begins and ends among all steps, from 0. */
export function placePart({ step, nth, count }: StepPart): { readonly from: number; readonly to: number } {
  return { from: step.index + nth / count, to: step.index + (nth + 1) / count };
}
