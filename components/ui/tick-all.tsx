"use client";

import { useTicked } from "./use-ticked";

/** The box above the boxes of a list that belong to a form by its id: ticks all of them or none. */
export function TickAll({ formId, label }: { formId: string; label: string }) {
  const { count, total, tickAll } = useTicked(formId);
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={label}
      checked={total > 0 && count === total}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < total;
      }}
      onChange={({ currentTarget }) => tickAll(currentTarget.checked)}
    />
  );
}
