"use client";

import { useTicked } from "./use-ticked";

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
