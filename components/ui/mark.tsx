import type { ReactNode } from "react";

import type { Outcome } from "@/lib/core/domain/trial";
import { OUTCOME_WORDS } from "@/lib/core/format/words";

export type MarkStatus = Outcome | "defer";

/** Without `label` it is decorative and must be next to its word. */
export function Mark({
  status,
  size = 12,
  label,
}: {
  status: MarkStatus | "suspect";
  size?: 12 | 14 | 16;
  label?: string;
}) {
  return (
    <svg
      className={`mark mark-${status}`}
      // The default size is in the style sheet: a page may have five hundred marks.
      {...(size === 12 ? {} : { width: size, height: size })}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      <use href={`#mark-${status}`} />
    </svg>
  );
}

/** Preferred over the glyph alone wherever it fits. */
export function StatusWord({ status, children }: { status: MarkStatus; children?: ReactNode }) {
  return (
    <span className="status-word">
      <Mark status={status} />
      {children ?? OUTCOME_WORDS[status]}
    </span>
  );
}
