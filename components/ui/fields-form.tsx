"use client";

import type { ReactNode } from "react";

/** A form that stays on the page. `read` returns the text of a named field. */
export function FieldsForm({
  label,
  className,
  onSend,
  onCancel,
  children,
}: {
  label?: string;
  className: string;
  onSend: (read: (name: string) => string, form: HTMLFormElement) => void;
  /** Called on Escape. */
  onCancel?: () => void;
  children: ReactNode;
}) {
  return (
    <form
      className={className}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        const read = (name: string) => {
          const value = fields.get(name);
          return typeof value === "string" ? value : "";
        };
        onSend(read, event.currentTarget);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) onCancel?.();
      }}
    >
      {children}
    </form>
  );
}
