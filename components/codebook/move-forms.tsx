"use client";

import { useId, useState } from "react";

import { Button } from "@/components/ui/button";
import { type Category, CATEGORY_LIMITS } from "@/lib/core/domain/codebook";
import { formatPlural } from "@/lib/core/format/number";
import type { SplitPart } from "@/lib/people/annotations";

import { Field, FormFoot, LabelList, PanelForm } from "./form-parts";
import { useChange } from "./use-change";

interface MoveProps {
  readonly category: Pick<Category, "id" | "label">;
  readonly nTrials: number;
  readonly labels: readonly string[];
  readonly onClose: () => void;
}

export function MergeForm({ category: { id, label }, nTrials, labels, onClose }: MoveProps) {
  const [into, setInto] = useState("");
  const { submit, failure, isPending } = useChange({ isTyped: true, onDone: onClose });
  const listId = useId();
  return (
    <PanelForm
      label="Merge category"
      onSubmit={() =>
        submit(
          { kind: "merge", id, into },
          { text: `Merged “${label}” into “${into.trim()}”.`, undo: { kind: "restore", id } },
        )
      }
      onCancel={onClose}
    >
      <p>
        {formatPlural(nTrials, "trial")} of “{label}” will count for the other category. Stored judgments stay
        as they are.
      </p>
      <Field label="Merge into">
        <input
          className="input"
          value={into}
          list={listId}
          placeholder="Name of another category"
          maxLength={CATEGORY_LIMITS.label}
          required
          autoFocus
          autoComplete="off"
          onChange={({ target }) => setInto(target.value)}
        />
      </Field>
      <LabelList id={listId} labels={labels.filter((one) => one !== label)} />
      <FormFoot failure={failure} isPending={isPending} action="Merge" onCancel={onClose} />
    </PanelForm>
  );
}

const MOST_PARTS = 20;
const NO_PART: SplitPart = { label: "", definition: "" };

export function SplitForm({ category: { id, label }, nTrials, onClose }: MoveProps) {
  const [parts, setParts] = useState<readonly SplitPart[]>([NO_PART, NO_PART]);
  const { submit, failure, isPending } = useChange({ isTyped: true, onDone: onClose });
  const change = (at: number, next: Partial<SplitPart>) =>
    setParts((old) => old.map((part, index) => (index === at ? { ...part, ...next } : part)));
  return (
    <PanelForm
      label="Split category"
      onSubmit={() =>
        submit({ kind: "split", id, parts }, { text: `Split “${label}”.`, undo: { kind: "restore", id } })
      }
      onCancel={onClose}
    >
      <p>
        {formatPlural(nTrials, "trial")} of “{label}” will say “split, choose again” until somebody does. You
        can put them into a queue next.
      </p>
      {parts.map((part, at) => (
        <fieldset key={at} className="codebook-part">
          <Field label={`New category ${at + 1}`}>
            <input
              className="input"
              value={part.label}
              maxLength={CATEGORY_LIMITS.label}
              required={at < 2}
              autoFocus={at === 0 || at > 1}
              autoComplete="off"
              onChange={({ target }) => change(at, { label: target.value })}
            />
          </Field>
          <Field label="Definition" note="optional">
            <textarea
              className="input codebook-text"
              rows={2}
              value={part.definition}
              maxLength={CATEGORY_LIMITS.text}
              onChange={({ target }) => change(at, { definition: target.value })}
            />
          </Field>
        </fieldset>
      ))}
      {parts.length < MOST_PARTS ? (
        <Button look="bare" onClick={() => setParts([...parts, NO_PART])}>
          One more
        </Button>
      ) : null}
      <FormFoot failure={failure} isPending={isPending} action="Split" onCancel={onClose} />
    </PanelForm>
  );
}
