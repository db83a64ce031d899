import type { Outcome } from "@/lib/domain/trial";
import { OUTCOME_WORDS } from "@/lib/format/words";

import "./mark.css";

/** What a glyph can stand for: a trial's outcome, or a reviewer's deferral. */
export type MarkStatus = Outcome | "defer";

/** One status glyph. Without `label` it is decoration and must stand beside its word. */
export function Mark({
  status,
  size = 12,
  label,
}: {
  status: MarkStatus;
  size?: 12 | 14 | 16;
  label?: string;
}) {
  return (
    <svg
      className={`mark mark-${status}`}
      // The usual size is the sheet's: a page may have five hundred of them.
      {...(size === 12 ? {} : { width: size, height: size })}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      <use href={`#mark-${status}`} />
    </svg>
  );
}

/** A glyph with its word, the form to use wherever there is room for it. */
export function StatusWord({ status }: { status: MarkStatus }) {
  return (
    <span className="status-word">
      <Mark status={status} />
      {OUTCOME_WORDS[status]}
    </span>
  );
}
