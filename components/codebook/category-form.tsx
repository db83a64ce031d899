"use client";

import { useId, useState } from "react";

import { CATEGORY_COLOURS } from "@/lib/core/domain/codebook";
import { CATEGORY_CONTEXTS, type CategoryContext } from "@/lib/core/domain/review";
import type { CategoryForm as CategoryText } from "@/lib/people/annotations";

import { CategoryDot, CONTEXT_WORDS } from "./codebook-words";
import { FormFoot, LabelField, PanelForm, TextField } from "./form-parts";
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
      <LabelField
        label="Name"
        note={id === null ? undefined : "judgments follow a new name"}
        value={text.label}
        required
        autoFocus
        onChange={(typed) => change({ label: typed })}
      />
      {TEXTS.map(({ name, label: heading }) => (
        <TextField
          key={name}
          label={heading}
          value={text[name]}
          onChange={(typed) => change({ [name]: typed })}
        />
      ))}
      <LabelField
        label="Below"
        note="optional"
        value={text.parent}
        labels={labels}
        onChange={(typed) => change({ parent: typed })}
      />
      <Contexts value={text.contexts} onChange={(contexts) => change({ contexts })} />
      <Colours value={text.colour} onChange={(colour) => change({ colour })} />
      <FormFoot state={state} action={id === null ? "Add category" : "Save"} onCancel={onCancel} />
    </PanelForm>
  );
}

const TEXTS = [
  { name: "definition", label: "Definition" },
  { name: "example", label: "Example" },
  { name: "counterExample", label: "Counter-example" },
] as const;

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
