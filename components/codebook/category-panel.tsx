"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useId, type InputHTMLAttributes, type ReactNode } from "react";

import { AnnotationTime } from "@/components/annotations/judgment-words";
import { ForAction } from "@/components/shell/account-context";
import { Button, KeyCap } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
import { Link } from "@/components/ui/link";
import { Problem } from "@/components/ui/problem";
import { type Category, CATEGORY_COLOURS, CATEGORY_LIMITS } from "@/lib/core/domain/codebook";
import { CATEGORY_CONTEXTS, type CategoryContext } from "@/lib/core/domain/review";
import { formatPlural } from "@/lib/core/format/number";
import { annotationsHref } from "@/lib/pages/annotations/address";
import { codebookHref, type CodebookParams } from "@/lib/pages/codebook/address";
import type { OpenCategory } from "@/lib/pages/codebook/page";
import type { CategoryForm as CategoryText, CodebookForm, SplitPart } from "@/lib/people/annotations";

import { ChangeButton, SplitQueueButton, useChange } from "./codebook-desk";
import { CategoryDot, describeContexts, STATE_WORDS, CONTEXT_WORDS } from "./codebook-words";

type Mode = "view" | "edit" | "merge" | "split";

interface ModeProps {
  readonly onMode: (mode: Mode) => void;
}

interface PanelProps {
  readonly labels: readonly string[];
  readonly params: CodebookParams;
}

export function CategoryPanel({ opened, labels, params }: PanelProps & { opened: OpenCategory }) {
  const [mode, setMode] = useState<Mode>("view");
  const { category, nTrials, parent } = opened;
  const close = () => setMode("view");
  return (
    <section className="panel side-panel codebook-panel" aria-label={`Category ${category.label}`}>
      <header className="row">
        <h2 className="grow">
          <CategoryDot colour={category.colour} /> {category.label}
        </h2>
        <Link
          className="button button-bare icon-only"
          href={codebookHref(params, { open: null })}
          mode="stay"
          aria-label="Close"
        >
          <X size={14} aria-hidden />
        </Link>
      </header>
      {mode === "view" ? <CategoryFacts opened={opened} onMode={setMode} /> : null}
      {mode === "edit" ? (
        <CategoryForm
          id={category.id}
          before={{ ...category, parent: parent ?? "" }}
          labels={labels}
          onClose={close}
        />
      ) : null}
      {mode === "merge" ? <MergeForm {...{ category, nTrials, labels }} onClose={close} /> : null}
      {mode === "split" ? <SplitForm {...{ category, nTrials }} onClose={close} /> : null}
    </section>
  );
}

export function NewCategoryPanel({ label = "", labels, params }: PanelProps & { label?: string }) {
  const router = useRouter();
  const close = () => router.replace(codebookHref(params, { open: null }), { scroll: false });
  return (
    <section className="panel side-panel codebook-panel" aria-label="New category">
      <h2>New category</h2>
      <CategoryForm id={null} before={{ label }} labels={labels} onClose={close} />
    </section>
  );
}

function CategoryFacts({ opened, onMode }: { opened: OpenCategory } & ModeProps) {
  const { category, parent, nTrials, successors, changes } = opened;
  return (
    <>
      <dl className="codebook-facts">
        <Fact term="State">
          {STATE_WORDS[category.state]}
          {successors.length === 0 ? null : ` into ${successors.join(", ")}`}
        </Fact>
        <Fact term="Definition">{category.definition}</Fact>
        <Fact term="Example">{category.example}</Fact>
        <Fact term="Counter-example">{category.counterExample}</Fact>
        <Fact term="Offered for">{describeContexts(category.contexts)}</Fact>
        <Fact term="Key">
          {category.key === null || category.state !== "live" ? null : <KeyCap>⇧{category.key}</KeyCap>}
        </Fact>
        <Fact term="Below">{parent}</Fact>
        <Fact term="Trials">
          {nTrials === 0 ? (
            "none"
          ) : (
            <Link href={annotationsHref({ categories: [category.label] })}>
              {formatPlural(nTrials, "trial")}
            </Link>
          )}
        </Fact>
      </dl>
      <ForAction action="changeCodebookAction">
        <div className="flow codebook-actions">
          {category.state === "live" ? (
            <LiveActions category={category} onMode={onMode} />
          ) : (
            <DeadActions category={category} nTrials={nTrials} />
          )}
        </div>
      </ForAction>
      <h3>Changes</h3>
      {changes.length === 0 ? (
        <p className="caption">None: this is a default category.</p>
      ) : (
        <ol className="codebook-changes">
          {changes.map(({ version, author, createdAt, text }) => (
            <li key={version}>
              {text}{" "}
              <span className="caption">
                Version {version}, {author === "" ? "no name given" : author},{" "}
                <AnnotationTime timestamp={createdAt} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Fact({ term, children }: { term: string; children: React.ReactNode }) {
  const isMissing = children === null || children === "";
  return (
    <>
      <dt className="muted">{term}</dt>
      <dd className={isMissing ? "muted" : undefined}>{isMissing ? "—" : children}</dd>
    </>
  );
}

function LiveActions({ category: { id, label }, onMode }: Pick<OpenCategory, "category"> & ModeProps) {
  return (
    <>
      <Button onClick={() => onMode("edit")}>Edit</Button>
      <Button onClick={() => onMode("merge")}>Merge</Button>
      <Button onClick={() => onMode("split")}>Split</Button>
      <ChangeButton
        title="Reviewers can no longer choose it. Its judgments stay."
        form={{ kind: "retire", id }}
        done={`Retired “${label}”.`}
        undo={{ kind: "restore", id }}
      >
        Retire
      </ChangeButton>
    </>
  );
}

function DeadActions({
  category: { id, label, state },
  nTrials,
}: Pick<OpenCategory, "category" | "nTrials">) {
  return (
    <>
      <ChangeButton form={{ kind: "restore", id }} done={`Restored “${label}”.`} undo={null}>
        Restore
      </ChangeButton>
      {state === "split" && nTrials > 0 ? <SplitQueueButton id={id} nTrials={nTrials} /> : null}
    </>
  );
}

interface MoveProps {
  readonly category: Pick<Category, "id" | "label">;
  readonly nTrials: number;
  readonly onClose: () => void;
}

function MergeForm({
  category: { id, label },
  nTrials,
  labels,
  onClose,
}: MoveProps & { labels: readonly string[] }) {
  const [into, setInto] = useState("");
  return (
    <PanelForm
      label="Merge category"
      action="Merge"
      form={{ kind: "merge", id, into }}
      done={`Merged “${label}” into “${into.trim()}”.`}
      undo={{ kind: "restore", id }}
      onClose={onClose}
    >
      <p>
        {formatPlural(nTrials, "trial")} of “{label}” will count for the other category. Stored judgments are
        not changed.
      </p>
      <LabelField
        label="Merge into"
        value={into}
        labels={labels.filter((one) => one !== label)}
        required
        autoFocus
        onChange={setInto}
      />
    </PanelForm>
  );
}

const MOST_PARTS = 20;
const NO_PART: SplitPart = { label: "", definition: "" };

function SplitForm({ category: { id, label }, nTrials, onClose }: MoveProps) {
  const [parts, setParts] = useState<readonly SplitPart[]>([NO_PART, NO_PART]);
  const change = (at: number, next: Partial<SplitPart>) =>
    setParts((old) => old.map((part, index) => (index === at ? { ...part, ...next } : part)));
  return (
    <PanelForm
      label="Split category"
      action="Split"
      form={{ kind: "split", id, parts }}
      done={`Split “${label}”.`}
      undo={{ kind: "restore", id }}
      onClose={onClose}
    >
      <p>
        {formatPlural(nTrials, "trial")} of “{label}” will show “split, choose again” until a reviewer does.
        You can queue them next.
      </p>
      {parts.map((part, at) => (
        <fieldset key={at} className="codebook-part">
          <LabelField
            label={`New category ${at + 1}`}
            value={part.label}
            required={at < 2}
            autoFocus={at === 0 || at > 1}
            onChange={(typed) => change(at, { label: typed })}
          />
          <TextField
            label="Definition"
            value={part.definition}
            onChange={(typed) => change(at, { definition: typed })}
          />
        </fieldset>
      ))}
      {parts.length < MOST_PARTS ? (
        <Button look="bare" onClick={() => setParts([...parts, NO_PART])}>
          One more
        </Button>
      ) : null}
    </PanelForm>
  );
}

const EMPTY: CategoryText = {
  label: "",
  definition: "",
  example: "",
  counterExample: "",
  colour: null,
  parent: "",
  contexts: ["fail", "fail-against"],
};

interface CategoryFormProps {
  readonly id: string | null;
  readonly before: Partial<CategoryText>;
  readonly labels: readonly string[];
  readonly onClose: () => void;
}

function CategoryForm({ id, before, labels, onClose }: CategoryFormProps) {
  const [initial] = useState(() => pickText({ ...EMPTY, ...before }));
  const [text, setText] = useState(initial);
  const change = (next: Partial<CategoryText>) => setText((old) => ({ ...old, ...next }));
  const label = text.label.trim();
  return (
    <PanelForm
      label={id === null ? "New category" : "Edit category"}
      action={id === null ? "Add category" : "Save"}
      form={id === null ? { kind: "add", text } : { kind: "edit", id, text }}
      done={id === null ? `Added “${label}”.` : `Saved “${label}”.`}
      undo={id === null ? null : { kind: "edit", id, text: initial }}
      onClose={onClose}
    >
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
    </PanelForm>
  );
}

const TEXTS = [
  { name: "definition", label: "Definition" },
  { name: "example", label: "Example" },
  { name: "counterExample", label: "Counter-example" },
] as const;

function pickText({ label, definition, example, counterExample, colour, parent, contexts }: CategoryText) {
  return { label, definition, example, counterExample, colour, parent, contexts };
}

function Contexts({
  value,
  onChange,
}: {
  value: readonly CategoryContext[];
  onChange: (contexts: readonly CategoryContext[]) => void;
}) {
  return (
    <fieldset className="flow codebook-choices">
      <legend className="label">Offered for</legend>
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
    <fieldset className="flow codebook-choices">
      <legend className="label">Colour</legend>
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

/** A name of a category. With `labels` those are offered. */
function LabelField({
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

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TextField({ label, value, onChange }: TextFieldProps) {
  return (
    <Field label={label} note="optional">
      <textarea
        className="input"
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
    <label className="labelled">
      <span className="label">
        {label} {note === undefined ? null : <span className="muted">{note}</span>}
      </span>
      {children}
    </label>
  );
}

interface PanelFormProps {
  readonly label: string;
  readonly action: string;
  readonly form: CodebookForm;
  readonly done: string;
  readonly undo: CodebookForm | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function PanelForm({ label, action, form, done, undo, onClose, children }: PanelFormProps) {
  const { submit, problem, isConflict, isPending } = useChange({ isTyped: true, onDone: onClose });
  return (
    <FieldsForm
      className="codebook-form"
      label={label}
      onSend={() => submit(form, { text: done, undo })}
      onCancel={onClose}
    >
      {children}
      <Problem>
        {problem}
        {isConflict ? " Your text is kept; saving again replaces theirs." : null}
      </Problem>
      <div className="row">
        <Button type="submit" look="main" disabled={isPending}>
          {isConflict ? "Replace theirs" : action}
        </Button>
        <Button look="bare" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </FieldsForm>
  );
}
