import { cutText } from "@/lib/core/domain/text-bounder";
import type { TrajectoryStep } from "@/lib/core/domain/trajectory";
import { readTrajectory } from "@/lib/read/loader/detail";

import type { TrialPlace } from "./place";

const MAX_CHARS = 6_000;

export interface Instruction {
  readonly key: string;
  readonly text: string;
  readonly isCut: boolean;
}

/** Elements that Codex adds in the user's name for its environment and its own settings. */
const SURROUNDINGS = ["environment_context", "user_instructions"] as const;

/** Returns the first user message with more than the environment, else the first; null if it was copied from an earlier context. */
export function findInstruction(steps: readonly TrajectoryStep[]): Instruction | null {
  const first = steps.find(isAsked);
  if (first === undefined || first.copied) return null;
  const step = steps.find((one) => isAsked(one) && !saysWhereItRuns(readWords(one))) ?? first;
  const text = readWords(step);
  if (text === "") return null;
  return { key: step.key, text: cutText(text, MAX_CHARS), isCut: text.length > MAX_CHARS };
}

function isAsked({ source, depth }: TrajectoryStep): boolean {
  return source === "user" && depth === 0;
}

function readWords({ message }: TrajectoryStep): string {
  return message
    .flatMap((part) => (part.kind === "text" ? [part.text] : []))
    .join("\n")
    .trim();
}

function saysWhereItRuns(text: string): boolean {
  return SURROUNDINGS.some((name) => text.startsWith(`<${name}>`) && text.endsWith(`</${name}>`));
}

export async function readInstruction({ path, stepNames, ledger }: TrialPlace): Promise<Instruction | null> {
  if (path === null || ledger !== null) return null;
  return findInstruction((await readTrajectory(path, stepNames, null)).steps);
}
