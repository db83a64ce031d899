"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ComponentProps, type ReactNode, useId, useState } from "react";

import { AnnotationTime } from "@/components/annotations/judgment-words";
import { ForAction } from "@/components/shell/account-context";
import { Button, KeyCap } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
import { Link } from "@/components/ui/link";
import { Problem } from "@/components/ui/problem";
import { type Category, CATEGORY_COLOURS, CATEGORY_LIMITS } from "@/lib/core/domain/codebook";
import { CATEGORY_CONTEXTS } from "@/lib/core/domain/review";
import { formatPlural } from "@/lib/core/format/number";
import { annotationsHref } from "@/lib/pages/annotations/address";
import { codebookHref, type CodebookParams } from "@/lib/pages/codebook/address";
import type { OpenCategory } from "@/lib/pages/codebook/page";
import type { CategoryForm as CategoryText } from "@/lib/people/annotations";

import { type Change, ChangeButton, SplitQueueButton, useChange } from "./codebook-desk";
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
    <section className="codebook-panel" aria-label={`Category ${category.label}`}>
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
    <section className="codebook-panel" aria-label="New category">
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
  return (
    <PanelForm
      label="Merge category"
      action="Merge"
      read={(read) => ({
        form: { kind: "merge", id, into: read("into") },
        done: `Merged “${label}” into “${read("into").trim()}”.`,
        undo: { kind: "restore", id },
      })}
      onClose={onClose}
    >
      <p>
        {formatPlural(nTrials, "trial")} of “{label}” will count for the other category. Stored judgments are
        not changed.
      </p>
      <LabelField
        label="Merge into"
        name="into"
        labels={labels.filter((one) => one !== label)}
        required
        autoFocus
      />
    </PanelForm>
  );
}

const MOST_PARTS = 20;

function SplitForm({ category: { id, label }, nTrials, onClose }: MoveProps) {
  const [nParts, setParts] = useState(2);
  const parts = Array.from({ length: nParts }, (_, at) => at);
  return (
    <PanelForm
      label="Split category"
      action="Split"
      read={(read) => ({
        form: {
          kind: "split",
          id,
          parts: parts.map((at) => ({ label: read(`label-${at}`), definition: read(`definition-${at}`) })),
        },
        done: `Split “${label}”.`,
        undo: { kind: "restore", id },
      })}
      onClose={onClose}
    >
      <p>
        {formatPlural(nTrials, "trial")} of “{label}” will show “split, choose again” until a reviewer does.
        You can queue them next.
      </p>
      {parts.map((at) => (
        <fieldset key={at} className="codebook-part">
          <LabelField
            label={`New category ${at + 1}`}
            name={`label-${at}`}
            required={at < 2}
            autoFocus={at === 0 || at > 1}
          />
          <TextField label="Definition" name={`definition-${at}`} />
        </fieldset>
      ))}
      {nParts < MOST_PARTS ? (
        <Button look="bare" onClick={() => setParts(nParts + 1)}>
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
  // Another user's change must not replace what this one reads.
  const [initial] = useState(() => pickText({ ...EMPTY, ...before }));
  return (
    <PanelForm
      label={id === null ? "New category" : "Edit category"}
      action={id === null ? "Add category" : "Save"}
      read={(read, fields) => {
        const text = readText(read, fields);
        const label = text.label.trim();
        return id === null
          ? { form: { kind: "add", text }, done: `Added “${label}”.`, undo: null }
          : {
              form: { kind: "edit", id, text },
              done: `Saved “${label}”.`,
              undo: { kind: "edit", id, text: initial },
            };
      }}
      onClose={onClose}
    >
      <LabelField
        label="Name"
        note={id === null ? undefined : "judgments follow a new name"}
        name="label"
        defaultValue={initial.label}
        required
        autoFocus
      />
      <TextField label="Definition" name="definition" defaultValue={initial.definition} />
      <TextField label="Example" name="example" defaultValue={initial.example} />
      <TextField label="Counter-example" name="counterExample" defaultValue={initial.counterExample} />
      <LabelField label="Below" note="optional" name="parent" defaultValue={initial.parent} labels={labels} />
      <fieldset className="flow codebook-choices">
        <legend>Offered for</legend>
        {CATEGORY_CONTEXTS.map((context) => (
          <label key={context} className="row">
            <input
              type="checkbox"
              name="contexts"
              value={context}
              defaultChecked={initial.contexts.includes(context)}
            />
            {CONTEXT_WORDS[context]}
          </label>
        ))}
      </fieldset>
      <fieldset className="flow codebook-choices">
        <legend>Colour</legend>
        {[null, ...CATEGORY_COLOURS].map((colour) => (
          <label key={colour ?? "none"} className="row">
            <input
              type="radio"
              name="colour"
              value={colour ?? ""}
              defaultChecked={initial.colour === colour}
            />
            <CategoryDot colour={colour} />
            {colour ?? "none"}
          </label>
        ))}
      </fieldset>
    </PanelForm>
  );
}

function pickText({ label, definition, example, counterExample, colour, parent, contexts }: CategoryText) {
  return { label, definition, example, counterExample, colour, parent, contexts };
}

function readText(read: (name: string) => string, fields: FormData): CategoryText {
  return {
    label: read("label"),
    definition: read("definition"),
    example: read("example"),
    counterExample: read("counterExample"),
    colour: CATEGORY_COLOURS.find((colour) => colour === read("colour")) ?? null,
    parent: read("parent"),
    contexts: CATEGORY_CONTEXTS.filter((context) => fields.getAll("contexts").includes(context)),
  };
}

interface LabelFieldProps extends ComponentProps<"input"> {
  readonly label: string;
  readonly note?: string | undefined;
  readonly labels?: readonly string[];
}

/** A name of a category. With `labels` those are offered. */
function LabelField({ label, note, labels, ...input }: LabelFieldProps) {
  const listId = useId();
  return (
    <>
      <Field label={label} note={note}>
        <input
          className="input"
          maxLength={CATEGORY_LIMITS.label}
          autoComplete="off"
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

function TextField({ label, ...text }: ComponentProps<"textarea"> & { label: string }) {
  return (
    <Field label={label} note="optional">
      <textarea className="input codebook-text" rows={2} maxLength={CATEGORY_LIMITS.text} {...text} />
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

interface PanelFormProps {
  readonly label: string;
  readonly action: string;
  readonly read: (read: (name: string) => string, fields: FormData) => Change;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function PanelForm({ label, action, read, onClose, children }: PanelFormProps) {
  const { submit, problem, isConflict, isPending } = useChange({ isTyped: true, onDone: onClose });
  return (
    <FieldsForm
      className="codebook-form"
      label={label}
      onSend={(readField, form) => submit(read(readField, new FormData(form)))}
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
