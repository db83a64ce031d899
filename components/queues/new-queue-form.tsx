"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, type ReactNode, useEffect, useId, useState } from "react";

import { isFailure } from "@/components/shell/use-action";
import { AgentName } from "@/components/ui/agent-name";
import { Button } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { FieldsForm } from "@/components/ui/fields-form";
import { Problem } from "@/components/ui/problem";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { useInBrowser } from "@/components/ui/use-in-browser";
import {
  BLIND_PARTS,
  QUEUE_GOALS,
  QUEUE_ORDERS,
  type QueueGoal,
  SAMPLE_METHODS,
  type SampleMethod,
} from "@/lib/core/domain/review";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { makeQueueAction, previewQueueAction } from "@/lib/pages/queues/actions";
import type { NewQueuePage, QueuePreview } from "@/lib/pages/queues/new-queue";
import type { ActionFailure } from "@/lib/pages/shell/act";
import type { QueueForm } from "@/lib/people/annotations";

import { BLIND_WORDS, GOAL_WORDS, METHOD_HINTS, METHOD_WORDS, ORDER_WORDS } from "./queue-words";

const DEFAULTS: Readonly<Record<QueueGoal, Pick<QueueForm, "method" | "doubleShare" | "hides">>> = {
  "corrected-score": { method: "stratified", doubleShare: 0.5, hides: [...BLIND_PARTS] },
  agreement: { method: "random", doubleShare: 1, hides: [...BLIND_PARTS] },
  "failure-causes": { method: "clusters", doubleShare: 0, hides: ["reviewers"] },
  other: { method: "all", doubleShare: 0, hides: [] },
};
const SIZE = 60;
const METHODS = SAMPLE_METHODS.filter((method) => method !== "selection");

const NO_ANSWER: ActionFailure = {
  status: "failed",
  message: "The server did not respond. Check the list of queues before you try again.",
  fields: {},
};

const TYPING_PAUSE_MS = 250;

interface FieldsProps {
  readonly queue: QueueForm;
  readonly problems: Readonly<Record<string, string>>;
}

export function NewQueueForm({
  page: { source, isSelection, seed, reviewers },
}: {
  page: Pick<NewQueuePage, "source" | "isSelection" | "seed" | "reviewers">;
}) {
  const router = useRouter();
  const inBrowser = useInBrowser();
  const [queue, setQueue] = useState<QueueForm>(() => ({
    ...{
      source,
      seed,
      name: "",
      size: SIZE,
      order: "random",
      reviewers: [],
      isOpenCoding: false,
    },
    ...(isSelection
      ? { goal: "other", ...DEFAULTS.other, method: "selection" }
      : { goal: "corrected-score", ...DEFAULTS["corrected-score"] }),
  }));
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  // No transition: it ends after the refusal is rendered, and a press in between would be lost.
  const [isMaking, setIsMaking] = useState(false);
  // A method without a size keeps the typed one for the next method.
  const sent = isSized(queue) ? queue : { ...queue, size: 1 };
  const counted = usePreview(sent);
  const problems = failure?.fields ?? (counted !== null && isFailure(counted) ? counted.fields : {});
  // Focuses the first invalid field after a refusal.
  useEffect(() => {
    if (failure !== null) document.querySelector<HTMLElement>(".queue-form [aria-invalid='true']")?.focus();
  }, [failure]);

  async function make(): Promise<void> {
    setIsMaking(true);
    const result = await makeQueueAction(sent).catch(() => NO_ANSWER);
    if (isFailure(result)) {
      setFailure(result);
      setIsMaking(false);
    } else router.push(result.href);
  }

  return (
    <FieldsForm className="queue-form" label="New queue" onSend={() => (isMaking ? undefined : void make())}>
      <fieldset key={String(inBrowser)} className="queue-form-fields" disabled={!inBrowser}>
        <div
          className="queue-fields"
          onChange={({ currentTarget }) => {
            const form = currentTarget.closest("form");
            if (form !== null) setQueue(readQueue(new FormData(form), queue));
            setFailure(null);
          }}
        >
          <DrawFields queue={queue} problems={problems} />
          <ReviewFields queue={queue} problems={problems} known={reviewers} />
        </div>
        <div className="queue-aside">
          <QueuePreviewPanel result={counted} method={queue.method} goal={queue.goal} />
          <Problem>{failure?.message}</Problem>
          <Button look="main" type="submit" aria-disabled={isMaking}>
            {isMaking ? "Making the queue…" : "Make queue"}
          </Button>
        </div>
      </fieldset>
    </FieldsForm>
  );
}

function isSized({ method }: Pick<QueueForm, "method">): boolean {
  return method !== "all" && method !== "selection";
}

/** A new goal replaces what it presets. */
function readQueue(fields: FormData, before: QueueForm): QueueForm {
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const choose = <Value extends string>(name: string, values: readonly Value[], value: Value) =>
    values.find((one) => one === fields.get(name)) ?? value;
  const goal = choose("goal", QUEUE_GOALS, before.goal);
  const chosen =
    goal === before.goal
      ? {
          method: choose("method", METHODS, before.method),
          doubleShare: readNumber(text("doubleShare")) / 100,
          hides: BLIND_PARTS.filter((part) => fields.getAll("hides").includes(part)),
        }
      : { ...DEFAULTS[goal], ...(before.method === "selection" ? { method: before.method } : {}) };
  return {
    ...before,
    ...chosen,
    goal,
    name: text("name"),
    size: fields.has("size") ? readNumber(text("size")) : before.size,
    seed: readNumber(text("seed")),
    order: choose("order", QUEUE_ORDERS, before.order),
    isOpenCoding: fields.has("isOpenCoding"),
    reviewers: text("reviewers")
      .split(/[\n,]/)
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  };
}

/** Turns text that is not a number into a number that no rule accepts. */
function readNumber(text: string): number {
  const number = text.trim() === "" ? NaN : Number(text);
  return Number.isNaN(number) ? -1 : number;
}

function DrawFields({ queue, problems }: FieldsProps) {
  const { goal, method, size, seed } = queue;
  const number = (name: string, label: string, value: number, key = name) => (
    <TextField
      key={key}
      label={label}
      name={name}
      value={value}
      inputMode="numeric"
      problem={problems[name]}
    />
  );
  return (
    <>
      <TextField label="Name" name="name" autoFocus problem={problems["name"]} />
      <Choice
        label="Goal"
        name="goal"
        words={GOAL_WORDS}
        values={QUEUE_GOALS}
        value={goal}
        hint="Presets the sample, double review and hidden parts. You can change each."
      />
      {method === "selection" ? null : (
        <Choice
          key={`${goal} method`}
          label="Trials"
          name="method"
          words={METHOD_WORDS}
          values={METHODS}
          value={method}
          problem={problems["method"]}
          hint={METHOD_HINTS[method]}
        />
      )}
      <div className="queue-field-row">
        {isSized(queue) ? number("size", "Size", size) : null}
        {number("doubleShare", "Reviewed twice, %", DEFAULTS[goal].doubleShare * 100, goal)}
        {number("seed", "Seed", seed)}
      </div>
      <Choice
        label="Order"
        name="order"
        words={ORDER_WORDS}
        values={QUEUE_ORDERS}
        value="random"
        hint="With a random order, the labels so far are always a random sample."
      />
    </>
  );
}

function ReviewFields({ queue: { goal }, problems, known }: FieldsProps & { known: readonly string[] }) {
  return (
    <>
      <Field label="Reviewers" problem={problems["reviewers"]}>
        {(ids) => (
          <textarea {...ids} className="input queue-names" name="reviewers" rows={2} placeholder="Anybody" />
        )}
      </Field>
      <p className="caption queue-hint">
        One name per line. Empty allows everyone.
        {known.length === 0 ? null : ` Earlier queues: ${known.join(", ")}.`}
      </p>
      <fieldset key={goal} className="queue-boxes">
        <legend className="label">Hidden until the reviewer saves a judgment</legend>
        {BLIND_PARTS.map((part) => (
          <label key={part}>
            <input
              type="checkbox"
              name="hides"
              value={part}
              defaultChecked={DEFAULTS[goal].hides.includes(part)}
            />{" "}
            {BLIND_WORDS[part]}
          </label>
        ))}
      </fieldset>
      <fieldset className="queue-boxes">
        <legend className="label">Categories</legend>
        <label>
          <input type="checkbox" name="isOpenCoding" /> Open coding: reviewers write notes first, without
          categories
        </label>
      </fieldset>
    </>
  );
}

function usePreview({ source, method, size, seed, order, doubleShare }: QueueForm) {
  const [result, setResult] = useState<QueuePreview | ActionFailure | null>(null);
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

const COLUMNS: readonly DataColumn<QueuePreview["parts"][number]>[] = [
  column("Agent", (part) => <AgentName {...part} />),
  column("Outcome", ({ hasPassed }) =>
    hasPassed === null ? "unscored" : hasPassed ? "passed" : "not passed",
  ),
  column("Takes", ({ nDrawn }) => formatCount(nDrawn), { numeric: true }),
  column("Of", ({ nPool }) => formatCount(nPool), { numeric: true, className: "muted" }),
];

interface PreviewProps {
  readonly result: QueuePreview | ActionFailure | null;
  readonly method: SampleMethod;
  readonly goal: QueueGoal;
}

function QueuePreviewPanel({ result: preview, method, goal }: PreviewProps) {
  if (preview === null) return <p role="status">Counting trials…</p>;
  if (isFailure(preview))
    return (
      <p role="status" className="problem">
        {preview.message}
      </p>
    );
  return (
    <>
      <p role="status">
        {describePreview(preview, method)}
        {goal === "corrected-score" && preview.noCorrection !== null ? (
          <b className="queue-warning">{preview.noCorrection}</b>
        ) : null}
      </p>
      {preview.nDrawn === 0 || preview.nDrawn > preview.most ? null : (
        <DataTable
          caption="Queue preview"
          className="table-compact"
          columns={COLUMNS}
          rows={preview.parts}
          rowKey={({ agent, model, hasPassed }) => JSON.stringify([agent, model, hasPassed])}
        />
      )}
      {preview.parts.length < preview.nParts ? (
        <p className="caption">
          {formatPlural(preview.nParts, "agent and outcome", "agents and outcomes")}, the first{" "}
          {formatCount(preview.parts.length)} are shown.
        </p>
      ) : null}
    </>
  );
}

function describePreview(preview: QueuePreview, method: SampleMethod): string {
  const { nMatching, nPool, nDrawn, nDouble, nClusters } = preview;
  const match = `${formatPlural(nMatching, "finished trial")} ${nMatching === 1 ? "matches" : "match"}`;
  if (nMatching === 0) return "No finished trial matches.";
  if (nPool === 0) return `${match}; ${WITHOUT[method] ?? "none can be chosen"}.`;
  if (nDrawn === 0) return `${match}; none is left to choose.`;
  if (nDrawn > preview.most)
    return `${match}; a queue has at most ${formatCount(preview.most)} trials. Choose a sample of them.`;
  const pool = nPool === nMatching ? "" : ` ${formatCount(nPool)} of them can be chosen.`;
  const clusters = nClusters === null ? "" : ` They fall into ${formatPlural(nClusters, "failure cluster")}.`;
  const twice =
    nDouble === 0 ? "" : ` ${formatCount(nDouble)} ${nDouble === 1 ? "is" : "are"} reviewed twice.`;
  const taken = nDrawn === nMatching ? "all of them" : `${formatCount(nDrawn)} of them`;
  return `${match}; this queue takes ${taken}${describeEach(preview)}.${pool}${clusters}${twice}`;
}

function describeEach({ parts, nParts }: QueuePreview): string {
  const [first] = parts;
  const isEven =
    nParts > 1 && parts.length === nParts && parts.every((part) => part.nDrawn === first?.nDrawn);
  return isEven && first !== undefined ? `: ${formatCount(first.nDrawn)} of each agent and outcome` : "";
}

const WITHOUT: Readonly<Partial<Record<SampleMethod, string>>> = {
  stratified: "none has a reward or an exception",
  planned: "none has a reward or an exception",
  disagreements: "no reviewer differs from the verifier or another reviewer",
  flaky: "none belongs to a flaky task",
  clusters: "none failed",
};

interface FieldProps {
  readonly label: string;
  readonly problem?: string | undefined;
  readonly hint?: string | undefined;
  readonly children: (ids: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode;
}

function Field({ label, problem, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="queue-field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-describedby": `${id}-says`, "aria-invalid": problem !== undefined })}
      <div id={`${id}-says`}>
        {problem === undefined ? null : <p className="problem">{problem}</p>}
        {hint === undefined ? null : <p className="caption queue-hint">{hint}</p>}
      </div>
    </div>
  );
}

interface TextFieldProps extends ComponentProps<"input"> {
  readonly label: string;
  readonly problem: string | undefined;
}

function TextField({ label, problem, value, ...input }: TextFieldProps) {
  return (
    <Field label={label} problem={problem}>
      {(ids) => <input {...ids} className="input" defaultValue={value} autoComplete="off" {...input} />}
    </Field>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly words: Readonly<Record<Value, string>>;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly problem?: string | undefined;
  readonly hint: string;
}

function Choice<Value extends string>({
  label,
  name,
  words,
  values,
  value,
  problem,
  hint,
}: ChoiceProps<Value>) {
  return (
    <Field label={label} problem={problem} hint={hint}>
      {(ids) => (
        <select {...ids} className="input" name={name} defaultValue={value}>
          {values.map((one) => (
            <option key={one} value={one}>
              {words[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
