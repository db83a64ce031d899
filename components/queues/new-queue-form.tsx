"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

import { isFailure } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { useInBrowser } from "@/components/ui/use-in-browser";
import {
  BLIND_PARTS,
  QUEUE_GOALS,
  QUEUE_ORDERS,
  type QueueGoal,
  SAMPLE_METHODS,
} from "@/lib/core/domain/review";
import { makeQueueAction, previewQueueAction } from "@/lib/pages/queues/actions";
import type { NewQueuePage, QueuePreview } from "@/lib/pages/queues/new-queue";
import type { ActionFailure } from "@/lib/pages/shell/act";
import type { QueueForm } from "@/lib/people/annotations";

import { Boxes, Choice, Field, TextField } from "./form-fields";
import { QueuePreviewPanel } from "./queue-preview";
import { BLIND_WORDS, GOAL_WORDS, METHOD_HINTS, METHOD_WORDS, ORDER_WORDS } from "./queue-words";

interface Draft extends Omit<QueueForm, "size" | "seed" | "doubleShare" | "reviewers"> {
  readonly size: string;
  readonly seed: string;
  /** In percent. */
  readonly double: string;
  readonly reviewers: string;
}

type GoalDefaults = Pick<Draft, "method" | "double" | "hides">;

const DEFAULTS: Readonly<Record<QueueGoal, GoalDefaults>> = {
  "corrected-score": { method: "stratified", double: "50", hides: [...BLIND_PARTS] },
  agreement: { method: "random", double: "100", hides: [...BLIND_PARTS] },
  "failure-causes": { method: "clusters", double: "0", hides: ["reviewers"] },
  other: { method: "all", double: "0", hides: [] },
};

const NO_ANSWER: ActionFailure = {
  status: "failed",
  message: "The server did not respond. Check the list of queues before you try again.",
  fields: {},
};

const TYPING_PAUSE_MS = 250;

export function NewQueueForm({
  page: { source, isSelection, seed, reviewers },
}: {
  page: Pick<NewQueuePage, "source" | "isSelection" | "seed" | "reviewers">;
}) {
  const router = useRouter();
  const inBrowser = useInBrowser();
  const [draft, setDraft] = useState<Draft>(() => ({
    source,
    name: "",
    size: "60",
    seed: String(seed),
    order: "random",
    reviewers: "",
    isOpenCoding: false,
    ...setGoal(isSelection ? "other" : "corrected-score", isSelection),
  }));
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  // No transition: it ends after the refusal is rendered, and a press in between would be lost.
  const [isMaking, setIsMaking] = useState(false);
  const counted = usePreview(draft);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setFailure(null);
  };
  const problems = failure?.fields ?? (counted !== null && isFailure(counted) ? counted.fields : {});
  // Focuses the first invalid field after a refusal.
  useEffect(() => {
    if (failure !== null) document.querySelector<HTMLElement>(".queue-form [aria-invalid='true']")?.focus();
  }, [failure]);

  async function make(): Promise<void> {
    setIsMaking(true);
    const result = await makeQueueAction(readDraft(draft)).catch(() => NO_ANSWER);
    if (isFailure(result)) {
      setFailure(result);
      setIsMaking(false);
    } else router.push(result.href);
  }

  return (
    <form
      className="queue-form"
      aria-label="New queue"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isMaking) void make();
      }}
    >
      <fieldset key={String(inBrowser)} className="queue-form-fields" disabled={!inBrowser}>
        <div className="queue-fields">
          <DrawFields draft={draft} problems={problems} isSelection={isSelection} onChange={change} />
          <ReviewFields draft={draft} problems={problems} known={reviewers} onChange={change} />
        </div>
        <div className="queue-aside">
          <QueuePreviewPanel result={counted} method={draft.method} goal={draft.goal} />
          <Problem>{failure?.message}</Problem>
          <Button look="main" type="submit" aria-disabled={isMaking}>
            {isMaking ? "Making the queue…" : "Make queue"}
          </Button>
        </div>
      </fieldset>
    </form>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<Draft>) => void;
}

function DrawFields({ draft, problems, isSelection, onChange }: FieldsProps & { isSelection: boolean }) {
  const isSized = draft.method !== "all" && draft.method !== "selection";
  const text = (field: "name" | "size" | "double" | "seed", label: string, name: string = field) => (
    <TextField
      label={label}
      name={name}
      isNumber={field !== "name"}
      isFirst={field === "name"}
      value={draft[field]}
      problem={problems[name]}
      onChange={(value) => onChange({ [field]: value })}
    />
  );
  return (
    <>
      {text("name", "Name")}
      <Choice
        label="Goal"
        values={QUEUE_GOALS}
        words={GOAL_WORDS}
        value={draft.goal}
        hint="Presets the sample, double review and hidden parts. You can change each."
        onChange={(goal) => onChange(setGoal(goal, isSelection))}
      />
      {isSelection ? null : (
        <Choice
          label="Trials"
          values={SAMPLE_METHODS.filter((method) => method !== "selection")}
          words={METHOD_WORDS}
          value={draft.method}
          problem={problems["method"]}
          hint={METHOD_HINTS[draft.method]}
          onChange={(method) => onChange({ method })}
        />
      )}
      <div className="queue-field-row">
        {isSized ? text("size", "Size") : null}
        {text("double", "Reviewed twice, %", "doubleShare")}
        {text("seed", "Seed")}
      </div>
      <Choice
        label="Order"
        values={QUEUE_ORDERS}
        words={ORDER_WORDS}
        value={draft.order}
        hint="With a random order, the labels so far are always a random sample."
        onChange={(order) => onChange({ order })}
      />
    </>
  );
}

function ReviewFields({ draft, problems, known, onChange }: FieldsProps & { known: readonly string[] }) {
  return (
    <>
      <Field label="Reviewers" problem={problems["reviewers"]}>
        {(ids) => (
          <textarea
            {...ids}
            className="input queue-names"
            rows={2}
            value={draft.reviewers}
            placeholder="Anybody"
            onChange={(event) => onChange({ reviewers: event.target.value })}
          />
        )}
      </Field>
      <p className="caption queue-hint">
        One name per line. Empty allows everyone.
        {known.length === 0 ? null : ` Earlier queues: ${known.join(", ")}.`}
      </p>
      <Boxes
        legend="Hidden until the reviewer saves a judgment"
        values={BLIND_PARTS}
        words={BLIND_WORDS}
        chosen={draft.hides}
        onChange={(hides) => onChange({ hides: [...hides] })}
      />
      <Boxes
        legend="Categories"
        values={["open"]}
        words={{ open: "Open coding: reviewers write notes first, without categories" }}
        chosen={draft.isOpenCoding ? ["open"] : []}
        onChange={(chosen) => onChange({ isOpenCoding: chosen.length > 0 })}
      />
    </>
  );
}

function setGoal(goal: QueueGoal, isSelection: boolean): GoalDefaults & Pick<Draft, "goal"> {
  const defaults = DEFAULTS[goal];
  return { goal, ...defaults, ...(isSelection ? { method: "selection" as const } : {}) };
}

/** Turns text that is not a number into a number that no rule accepts. */
function readNumber(text: string): number {
  return text.trim() === "" ? -1 : Number(text) || (Number(text) === 0 ? 0 : -1);
}

function readDraft({ size, seed, double, reviewers, ...draft }: Draft): QueueForm {
  const isSized = draft.method !== "all" && draft.method !== "selection";
  return {
    ...draft,
    size: isSized ? readNumber(size) : 1,
    seed: readNumber(seed),
    doubleShare: readNumber(double) / 100,
    reviewers: reviewers
      .split(/[\n,]/)
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  };
}

function usePreview(draft: Draft) {
  const [result, setResult] = useState<QueuePreview | ActionFailure | null>(null);
  const { source, method, size, seed, order, doubleShare } = readDraft(draft);
  const asked = JSON.stringify({ source, method, size, seed, order, doubleShare });
  useEffect(() => {
    let isOld = false;
    const count = async () => {
      const request = JSON.parse(asked) as Parameters<typeof previewQueueAction>[0]; // Written above.
      const next = await previewQueueAction(request);
      if (!isOld) setResult(next);
    };
    const timer = setTimeout(() => void count(), TYPING_PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [asked]);
  return result;
}
