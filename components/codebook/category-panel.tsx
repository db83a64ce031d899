"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { ForAction } from "@/components/shell/account-context";
import { Button, KeyCap } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Problem } from "@/components/ui/problem";
import type { Category } from "@/lib/core/domain/codebook";
import { formatPlural } from "@/lib/core/format/number";
import { annotationsHref } from "@/lib/pages/annotations/address";
import { codebookHref, type CodebookParams } from "@/lib/pages/codebook/address";
import type { OpenCategory } from "@/lib/pages/codebook/page";
import type { SplitPart } from "@/lib/people/annotations";

import { AnnotationTime } from "../annotations/judgment-words";
import { CategoryForm } from "./category-form";
import { CategoryDot, describeContexts, STATE_WORDS } from "./codebook-words";
import { FormFoot, LabelField, PanelForm, TextField } from "./form-parts";
import { SplitQueueButton } from "./split-queue-button";
import { useChange } from "./use-change";

type Mode = "view" | "edit" | "merge" | "split";

export function CategoryPanel({
  opened,
  labels,
  params,
}: {
  opened: OpenCategory;
  labels: readonly string[];
  params: CodebookParams;
}) {
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
          before={{ ...readTexts(category), parent: parent ?? "" }}
          labels={labels}
          onDone={close}
          onCancel={close}
        />
      ) : null}
      {mode === "merge" ? (
        <MergeForm category={category} nTrials={nTrials} labels={labels} onClose={close} />
      ) : null}
      {mode === "split" ? (
        <SplitForm category={category} nTrials={nTrials} labels={labels} onClose={close} />
      ) : null}
    </section>
  );
}

export function NewCategoryPanel({
  label = "",
  labels,
  params,
}: {
  label?: string;
  labels: readonly string[];
  params: CodebookParams;
}) {
  const router = useRouter();
  const close = () => router.replace(codebookHref(params, { open: null }), { scroll: false });
  return (
    <section className="codebook-panel" aria-label="New category">
      <h2>New category</h2>
      <CategoryForm id={null} before={{ label }} labels={labels} onDone={close} onCancel={close} />
    </section>
  );
}

function readTexts({
  label,
  definition,
  example,
  counterExample,
  colour,
  contexts,
}: OpenCategory["category"]) {
  return { label, definition, example, counterExample, colour, contexts };
}

function CategoryFacts({ opened, onMode }: { opened: OpenCategory; onMode: (mode: Mode) => void }) {
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
      {category.state === "live" ? (
        <ForAction action="changeCodebookAction">
          <LiveActions opened={opened} onMode={onMode} />
        </ForAction>
      ) : (
        <ForAction action="changeCodebookAction">
          <DeadActions opened={opened} />
        </ForAction>
      )}
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
      <dt>{term}</dt>
      <dd className={isMissing ? "muted" : undefined}>{isMissing ? "—" : children}</dd>
    </>
  );
}

function LiveActions({
  opened: { category },
  onMode,
}: {
  opened: OpenCategory;
  onMode: (mode: Mode) => void;
}) {
  const { id, label } = category;
  const { submit, problem, isPending } = useChange({ isTyped: false });
  return (
    <>
      <div className="row codebook-actions">
        <Button onClick={() => onMode("edit")}>Edit</Button>
        <Button onClick={() => onMode("merge")}>Merge</Button>
        <Button onClick={() => onMode("split")}>Split</Button>
        <Button
          disabled={isPending}
          title="Reviewers can no longer choose it. Its judgments stay."
          onClick={() =>
            submit({ kind: "retire", id }, { text: `Retired “${label}”.`, undo: { kind: "restore", id } })
          }
        >
          Retire
        </Button>
      </div>
      <Problem>{problem}</Problem>
    </>
  );
}

function DeadActions({ opened: { category, nTrials } }: { opened: OpenCategory }) {
  const { id, label, state } = category;
  const { submit, problem, isPending } = useChange({ isTyped: false });
  return (
    <>
      <div className="row codebook-actions">
        <Button
          disabled={isPending}
          onClick={() => submit({ kind: "restore", id }, { text: `Restored “${label}”.`, undo: null })}
        >
          Restore
        </Button>
        {state === "split" && nTrials > 0 ? <SplitQueueButton id={id} nTrials={nTrials} /> : null}
      </div>
      <Problem>{problem}</Problem>
    </>
  );
}

interface MoveProps {
  readonly category: Pick<Category, "id" | "label">;
  readonly nTrials: number;
  readonly labels: readonly string[];
  readonly onClose: () => void;
}

function MergeForm({ category: { id, label }, nTrials, labels, onClose }: MoveProps) {
  const [into, setInto] = useState("");
  const { submit, ...state } = useChange({ isTyped: true, onDone: onClose });
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
      <FormFoot state={state} action="Merge" onCancel={onClose} />
    </PanelForm>
  );
}

const MOST_PARTS = 20;
const NO_PART: SplitPart = { label: "", definition: "" };

function SplitForm({ category: { id, label }, nTrials, onClose }: MoveProps) {
  const [parts, setParts] = useState<readonly SplitPart[]>([NO_PART, NO_PART]);
  const { submit, ...state } = useChange({ isTyped: true, onDone: onClose });
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
      <FormFoot state={state} action="Split" onCancel={onClose} />
    </PanelForm>
  );
}
