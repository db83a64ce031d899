import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { Preformatted } from "@/components/ui/preformatted";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { TaskInstruction as Instruction, TaskInstructions } from "@/lib/pages/tasks/instruction";
import { trialPageHref } from "@/lib/pages/trial/address";

/** Longer text is folded: the first line is enough for readers who know the task. */
const MOST_OPEN_CHARS = 500;
/** The rest of a line would not be visible. */
const MAX_FIRST_CHARS = 160;

export function TaskInstruction({ instructions }: { instructions: TaskInstructions }) {
  const { texts, nRead, nUnread } = instructions;
  if (texts.length === 0) {
    return (
      <Section title="Instruction">
        <p className="muted">
          {nRead === 0
            ? "No attempt recorded its instruction."
            : nUnread === nRead
              ? `The trajectories of the ${formatPlural(nRead, "attempt")} checked cannot be read.`
              : `Unknown: no trajectory of the ${formatPlural(nRead, "attempt")} checked has a user message.`}
        </p>
      </Section>
    );
  }
  return (
    <Section title="Instruction" note={describe(instructions)}>
      {texts.map((instruction) => (
        <InstructionText key={instruction.text} instruction={instruction} first={texts[0]} />
      ))}
    </Section>
  );
}

function describe({ texts, nRead, nSilent, nUnread }: TaskInstructions): string {
  const nSaying = nRead - nSilent - nUnread;
  const without = nRead === nSaying ? "" : `, ${formatCount(nRead - nSaying)} without one`;
  if (texts.length > 1)
    return `attempts differ: ${formatCount(texts.length)} texts in ${formatPlural(nSaying, "attempt")} checked${without}`;
  return `${nSaying === 1 ? "from 1 attempt" : `the same in ${formatPlural(nSaying, "attempt")} checked`}${without}`;
}

/** `first` is the most common text; others show their first line that differs from it. */
function InstructionText({
  instruction,
  first = instruction,
}: {
  instruction: Instruction;
  first?: Instruction | undefined;
}) {
  const { text, isCut, trial, stepKey, nAttempts } = instruction;
  const content = (
    <>
      <Preformatted className="task-instruction-text" tabIndex={0}>
        {text}
      </Preformatted>
      <p className="caption">
        {isCut ? "Cut. " : null}The first user message in{" "}
        <Link href={trialPageHref(trial.jobKey, trial.key, { step: stepKey })}>
          {trial.agent}, {trial.jobName}, attempt {trial.attempt}
        </Link>
        {nAttempts === 1 ? "." : ` and ${formatPlural(nAttempts - 1, "other attempt")}.`}
      </p>
    </>
  );
  if (text.length <= MOST_OPEN_CHARS) return <div className="task-instruction">{content}</div>;
  const differing = first === instruction ? null : findDifference(text, first.text);
  return (
    <details className="task-instruction">
      <summary className="cut">
        {differing === null ? "" : `Differs from line ${formatCount(differing.line)}: `}
        <span className="muted">{(differing?.text ?? text).slice(0, MAX_FIRST_CHARS).toWellFormed()}</span>
      </summary>
      {content}
    </details>
  );
}

function findDifference(text: string, other: string): { readonly line: number; readonly text: string } {
  const [lines, others] = [text.split("\n"), other.split("\n")];
  const at = lines.findIndex((line, index) => line !== others[index]);
  return { line: at + 1, text: lines[at]?.trim() ?? "" };
}
