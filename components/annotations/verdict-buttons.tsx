import { KeyCap } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { JUDGMENTS } from "@/lib/domain/annotation";
import type { Judgment } from "@/lib/domain/annotation";

import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "./judgment-words";

/** The three verdicts, each with its key. */
export function VerdictButtons({
  value,
  problem,
  onJudge,
}: {
  value: Judgment | null;
  problem: string | undefined;
  onJudge: (judgment: Judgment) => void;
}) {
  return (
    <div
      className="review-verdicts"
      role="group"
      aria-label="Verdict"
      aria-describedby="review-verdict-problem"
    >
      {JUDGMENTS.map((judgment, index) => (
        <button
          key={judgment}
          type="button"
          className={`review-verdict review-verdict-${judgment}`}
          aria-pressed={value === judgment}
          data-invalid={problem === undefined ? undefined : ""}
          onClick={() => onJudge(judgment)}
        >
          <Mark status={JUDGMENT_MARKS[judgment]} size={16} />
          {JUDGMENT_WORDS[judgment]}
          <KeyCap>{index + 1}</KeyCap>
        </button>
      ))}
    </div>
  );
}
