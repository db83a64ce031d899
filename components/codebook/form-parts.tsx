import type { ReactNode } from "react";

import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";

import type { useChange } from "./use-change";

export function LabelList({ id, labels }: { id: string; labels: readonly string[] }) {
  return (
    <datalist id={id}>
      {labels.map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}

export function Field({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
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
        {isConflict ? " What you typed is still here; saving again replaces theirs." : null}
      </Problem>
      <div className="row">
        <Button type="submit" look="main" disabled={isPending}>
          {isConflict ? "Save over theirs" : action}
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
