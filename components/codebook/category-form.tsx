"use client";

import { useId, useState } from "react";

import { CATEGORY_COLOURS, CATEGORY_LIMITS } from "@/lib/core/domain/codebook";
import { CATEGORY_CONTEXTS, type CategoryContext } from "@/lib/core/domain/review";
import type { CategoryForm as CategoryText } from "@/lib/people/annotations";

import { CategoryDot, CONTEXT_WORDS } from "./codebook-words";
import { Field, FormFoot, LabelList, PanelForm } from "./form-parts";
import { useChange } from "./use-change";

const EMPTY: CategoryText = {
  label: "",
  definition: "",
  example: "",
  counterExample: "",
  colour: null,
  parent: "",
  contexts: ["fail", "fail-against"],
};

export function CategoryForm({
  id,
  before,
  labels,
  onDone,
  onCancel,
}: {
  id: string | null;
  before: Partial<CategoryText>;
  labels: readonly string[];
  onDone: () => void;
  onCancel: () => void;
}) {
  const [initial] = useState<CategoryText>({ ...EMPTY, ...before });
  const [text, setText] = useState(initial);
  const { submit, ...state } = useChange({ isTyped: true, onDone });
  const change = (next: Partial<CategoryText>) => setText((old) => ({ ...old, ...next }));
  const listId = useId();
  const label = text.label.trim();
  const save = (): void => {
    if (id === null) submit({ kind: "add", text }, { text: `Added “${label}”.`, undo: null });
    else
      submit(
        { kind: "edit", id, text },
        { text: `Saved “${label}”.`, undo: { kind: "edit", id, text: initial } },
      );
  };
  return (
    <PanelForm label={id === null ? "New category" : "Edit category"} onSubmit={save} onCancel={onCancel}>
      <Field label="Name" {...(id === null ? {} : { note: "judgments follow a new name" })}>
        <input
          className="input"
          value={text.label}
          maxLength={CATEGORY_LIMITS.label}
          required
          autoFocus
          autoComplete="off"
          onChange={({ target }) => change({ label: target.value })}
        />
      </Field>
      <Texts text={text} onChange={change} />
      <Field label="Below" note="optional">
        <input
          className="input"
          value={text.parent}
          placeholder="Name of another category"
          maxLength={CATEGORY_LIMITS.label}
          list={listId}
          autoComplete="off"
          onChange={({ target }) => change({ parent: target.value })}
        />
      </Field>
      <LabelList id={listId} labels={labels} />
      <Contexts value={text.contexts} onChange={(contexts) => change({ contexts })} />
      <Colours value={text.colour} onChange={(colour) => change({ colour })} />
      <FormFoot state={state} action={id === null ? "Add category" : "Save"} onCancel={onCancel} />
    </PanelForm>
  );
}

type Change = (next: Partial<CategoryText>) => void;

const TEXTS = [
  { name: "definition", label: "Definition" },
  { name: "example", label: "Example" },
  { name: "counterExample", label: "Counter-example" },
] as const;

function Texts({ text, onChange }: { text: CategoryText; onChange: Change }) {
  return TEXTS.map(({ name, label }) => (
    <Field key={name} label={label} note="optional">
      <textarea
        className="input codebook-text"
        rows={2}
        value={text[name]}
        maxLength={CATEGORY_LIMITS.text}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    </Field>
  ));
}

function Contexts({
  value,
  onChange,
}: {
  value: readonly CategoryContext[];
  onChange: (contexts: readonly CategoryContext[]) => void;
}) {
  return (
    <fieldset className="codebook-choices">
      <legend>Offered for</legend>
      {CATEGORY_CONTEXTS.map((context) => (
        <label key={context} className="row">
          <input
            type="checkbox"
            checked={value.includes(context)}
            onChange={({ target }) =>
              onChange(
                CATEGORY_CONTEXTS.filter((one) => (one === context ? target.checked : value.includes(one))),
              )
            }
          />
          {CONTEXT_WORDS[context]}
        </label>
      ))}
    </fieldset>
  );
}

function Colours({
  value,
  onChange,
}: {
  value: CategoryText["colour"];
  onChange: (colour: CategoryText["colour"]) => void;
}) {
  const name = useId();
  return (
    <fieldset className="codebook-choices">
      <legend>Colour</legend>
      {[null, ...CATEGORY_COLOURS].map((colour) => (
        <label key={colour ?? "none"} className="row">
          <input type="radio" name={name} checked={value === colour} onChange={() => onChange(colour)} />
          <CategoryDot colour={colour} />
          {colour ?? "none"}
        </label>
      ))}
    </fieldset>
  );
}
