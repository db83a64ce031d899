import { Mark } from "@/components/ui/mark";
import type { Judgment } from "@/lib/domain/annotation";

import { JUDGMENT_MARKS, JUDGMENT_WORDS } from "./judgment-words";

/** A judgment as its glyph and word. */
export function JudgmentWord({ judgment }: { judgment: Judgment }) {
  return (
    <span className="status-word">
      <Mark status={JUDGMENT_MARKS[judgment]} />
      {JUDGMENT_WORDS[judgment]}
    </span>
  );
}
