import { cutText } from "@/lib/domain/text-bounder";
import type { TrajectoryStep } from "@/lib/domain/trajectory";

const MAX_CHARS = 6_000;

/** What the agent was asked first. */
export interface Instruction {
  /** Of the step that has it whole. */
  readonly key: string;
  readonly text: string;
  readonly isCut: boolean;
}

/** The words of the first step that a user wrote; null where there is none, or it comes of an earlier context. */
export function findInstruction(steps: readonly TrajectoryStep[]): Instruction | null {
  const step = steps.find(({ source, depth }) => source === "user" && depth === 0);
  if (step === undefined || step.copied) return null;
  const text = step.message
    .flatMap((part) => (part.kind === "text" ? [part.text] : []))
    .join("\n")
    .trim();
  if (text === "") return null;
  return { key: step.key, text: cutText(text, MAX_CHARS), isCut: text.length > MAX_CHARS };
}
