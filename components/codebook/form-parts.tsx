import { type InputHTMLAttributes, type ReactNode, useId } from "react";

import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { CATEGORY_LIMITS } from "@/lib/core/domain/codebook";

import type { useChange } from "./use-change";

/** A name of a category. With `labels` those are offered. */
export function LabelField({
  label,
  note,
  value,
  labels,
  onChange,
  ...input
}: Pick<InputHTMLAttributes<HTMLInputElement>, "required" | "autoFocus"> & {
  label: string;
  note?: string | undefined;
  value: string;
  labels?: readonly string[];
  onChange: (value: string) => void;
}) {
  const listId = useId();
  return (
    <>
      <Field label={label} note={note}>
        <input
          className="input"
          value={value}
          maxLength={CATEGORY_LIMITS.label}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
          {...(labels && { list: listId, placeholder: "Name of another category" })}
          {...input}
        />
      </Field>
      {labels && (
        <datalist id={listId}>
          {labels.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}

export function TextField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} note="optional">
      <textarea
        className="input codebook-text"
        rows={2}
        value={value}
        maxLength={CATEGORY_LIMITS.text}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}

function Field({ label, note, children }: { label: string; note: string | undefined; children: ReactNode }) {
  return (
    <label className="codebook-field">
      <span>
        {label} {note === undefined ? null : <span className="muted">{note}</span>}
      </span>
      {children}
    </label>
  );
}

export function FormFoot({
  state: { problem, isConflict, isPending },
  action,
  onCancel,
}: {
  state: Omit<ReturnType<typeof useChange>, "submit">;
  action: string;
  onCancel: () => void;
}) {
  return (
    <>
      <Problem>
        {problem}
        {isConflict ? " Your text is kept; saving again replaces theirs." : null}
      </Problem>
      <div className="row">
        <Button type="submit" look="main" disabled={isPending}>
          {isConflict ? "Replace theirs" : action}
        </Button>
        <Button look="bare" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}

export function PanelForm({
  label,
  onSubmit,
  onCancel,
  children,
}: {
  label: string;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <form
      className="codebook-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) onCancel();
      }}
    >
      {children}
    </form>
  );
}
