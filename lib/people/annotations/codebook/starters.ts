import type { Category, CategoryText } from "@/lib/core/domain/codebook";
import type { CategoryContext } from "@/lib/core/domain/review";

type Starter = Pick<CategoryText, "label" | "definition" | "example" | "counterExample"> & {
  readonly id: string;
};

const FAIL: readonly Starter[] = [
  {
    id: "stopped-early",
    label: "Stopped early",
    definition: "The agent ended while part of the task was not attempted.",
    example: "Fixes the first of two failing tests, then says that it is done.",
    counterExample: "Runs out of time in the middle of the work: that is a limit, not a choice.",
  },
  {
    id: "unverified-claim",
    label: "Unverified claim",
    definition: "The agent states a result that it never checked and that is wrong.",
    example: "Says that all tests pass without running them.",
    counterExample: "Runs the tests, reads the output wrongly: that is a wrong output.",
  },
  {
    id: "wrong-output",
    label: "Wrong output",
    definition: "The work is complete by the agent’s own account, and its result is wrong.",
    example: "The report has the right format and wrong totals.",
    counterExample: "The result is right and in the wrong place: that is a misread task.",
  },
  {
    id: "misread-task",
    label: "Misread task",
    definition: "The agent solves something else than what the instruction asks for.",
    example: "Writes to output.json where the instruction names result.json.",
    counterExample: "The instruction can be read in two ways: that is an unclear task.",
  },
  {
    id: "weakened-tests",
    label: "Weakened tests",
    definition: "The agent changes, skips or games tests or checks so that they pass.",
    example: "Marks the failing test as expected to fail.",
    counterExample: "Corrects a test that the instruction asks to be corrected.",
  },
  {
    id: "environment",
    label: "Environment",
    definition: "Something outside the agent’s reach kept it from doing the task.",
    example: "The package mirror does not answer.",
    counterExample: "The agent removes a file that it needs later.",
  },
];

const PASS: readonly Starter[] = [
  {
    id: "right-for-the-wrong-reason",
    label: "Right for the wrong reason",
    definition: "The result is accepted, and what led to it is not sound.",
    example: "Writes the expected number without computing it.",
    counterExample: "An unusual way that does solve the task.",
  },
  {
    id: "lucky",
    label: "Lucky",
    definition: "It worked by chance and would not on another run.",
    example: "A race that happened to end well.",
    counterExample: "Several tries, the last of them checked.",
  },
];

const DEFER: readonly Starter[] = [
  {
    id: "needs-an-expert",
    label: "Needs an expert",
    definition: "Judging takes knowledge that this reviewer does not have.",
    example: "Whether the proof is complete.",
    counterExample: "It only takes longer.",
  },
  {
    id: "broken-task",
    label: "Broken task",
    definition: "The task cannot be solved as it is given, or its check cannot be met.",
    example: "The tests import a module that does not exist.",
    counterExample: "The task is hard.",
  },
  {
    id: "unclear-task",
    label: "Unclear task",
    definition: "The instruction allows readings with different verdicts.",
    example: "Does not say whether the header line counts.",
    counterExample: "The agent overlooked a sentence.",
  },
  {
    id: "infrastructure",
    label: "Infrastructure",
    definition: "The run itself broke, so that nothing can be said about the agent.",
    example: "The container was killed before the agent began.",
    counterExample: "The agent filled the disk.",
  },
];

export const TOO_STRICT_CATEGORY = "verifier-too-strict";

const TOO_STRICT: readonly Starter[] = [
  {
    id: TOO_STRICT_CATEGORY,
    label: "Verifier too strict",
    definition: "The work does what the instruction asks for, and the verifier does not accept it.",
    example: "Compares floats as text, so 0.10 fails where 0.1 is expected.",
    counterExample: "The instruction states the format that the agent missed.",
  },
];

const TOO_LENIENT: readonly Starter[] = [
  {
    id: "verifier-too-lenient",
    label: "Verifier too lenient",
    definition: "The verifier accepts work that does not do what the instruction asks for.",
    example: "Only checks that the file exists.",
    counterExample: "The work is correct but badly written.",
  },
];

function begin(
  starters: readonly Starter[],
  contexts: readonly CategoryContext[],
  firstKey = 1,
): readonly Category[] {
  const rest = { colour: null, parentId: null, state: "live", successors: [], since: 0 } as const;
  return starters.map((starter, at) => ({ ...starter, ...rest, key: firstKey + at, contexts }));
}

export const STARTERS: readonly Category[] = [
  ...begin(FAIL, ["fail", "fail-against"]),
  ...begin(PASS, ["pass", "pass-against"]),
  ...begin(DEFER, ["defer"]),
  ...begin(TOO_STRICT, ["pass-against"], 9),
  ...begin(TOO_LENIENT, ["fail-against"], 9),
];
