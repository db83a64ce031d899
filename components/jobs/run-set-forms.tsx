"use client";

import { ChevronDown, Undo2 } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";

import { ForAction } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { useAction } from "@/components/shell/use-action";
import { Button, ButtonLink, KeyCap } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
import { Link } from "@/components/ui/link";
import { Problem } from "@/components/ui/problem";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import { deleteRunSetAction, restoreRunSetAction, saveRunSetAction } from "@/lib/pages/run-sets/actions";
import type { JobsRunSets } from "@/lib/pages/run-sets/jobs-run-sets";

import { readReviewer } from "../annotations/drafts";

import "./run-set-changed.css";
import "./run-set-suggestions.css";

/** Saves runs under the reviewer's name, then lists the jobs with what changed. */
function useSaveRuns(params: JobsParams, options?: Parameters<typeof useAction>[0]) {
  const router = useRouter();
  const { run, ...state } = useAction(options);
  const save = (set: Omit<Parameters<typeof saveRunSetAction>[0], "createdBy">): void =>
    run(
      () => saveRunSetAction({ ...set, createdBy: readReviewer().reviewerId || null }),
      ({ id }) => {
        const join = set.kind === "together" ? [] : params.join;
        router.push(jobsHref(params, { join, changed: id, page: params.page }));
      },
    );
  return { ...state, save };
}

interface JoinFormProps {
  readonly name: string;
  readonly refs: readonly string[];
  readonly rule: string | null;
  readonly params: JobsParams;
}

export function JoinForm({ name, refs, rule, params }: JoinFormProps) {
  const { problem, isPending, save } = useSaveRuns(params);
  return (
    <FieldsForm
      className="join-form"
      onSend={(read) =>
        save({ name: read("name"), refs, rule: read("grows") === "" ? null : rule, kind: "together" })
      }
    >
      <label htmlFor="run-set-name">Name</label>
      <input
        id="run-set-name"
        className="input"
        name="name"
        defaultValue={name.slice(0, 80)}
        maxLength={80}
        required
        autoFocus
      />
      {rule === null ? null : (
        <label>
          <input type="checkbox" name="grows" /> Add new jobs{" "}
          {rule === "numbers" ? (
            "whose names are alike but for a number at the end"
          ) : (
            <>
              that match <code>{rule}</code>
            </>
          )}
        </label>
      )}
      <Problem>{problem}</Problem>
      <div className="row">
        <Button type="submit" look="main" disabled={isPending || refs.length < 2}>
          Count {refs.length} together <KeyCap>↵</KeyCap>
        </Button>
        <ButtonLink href={jobsHref(params, { join: [], page: params.page })}>Cancel</ButtonLink>
        <span className="caption">{refs.length < 2 ? "Select at least two runs" : "Can be undone"}</span>
      </div>
    </FieldsForm>
  );
}

export function NotRepeatsButton({
  refs,
  jobs,
  params,
}: Pick<JoinFormProps, "refs" | "params"> & { jobs: string }) {
  const { isPending, save } = useSaveRuns(params, { isAnnounced: true });
  return (
    <Button
      look="bare"
      disabled={isPending}
      onClick={() => save({ name: "Not repeats", refs, rule: null, kind: "apart" })}
      title={`${jobs} are not repeats: do not suggest this again`}
    >
      Not repeats
    </Button>
  );
}

export function SeparateButton({ id, name }: { id: string; name: string }) {
  const router = useRouter();
  const { isPending, run } = useAction({ isAnnounced: true });
  const separate = (): void =>
    run(
      () => deleteRunSetAction(id),
      () => {
        const query = new URLSearchParams(location.search);
        query.set("changed", id);
        router.push(`/?${query.toString()}` as Route); // The list itself.
      },
    );
  return (
    <button
      type="button"
      className="text-button jobs-separate"
      disabled={isPending}
      aria-label={`Take ${name} apart`}
      title="Count its jobs separately again"
      onClick={separate}
    >
      take apart
    </button>
  );
}

type Changed = Pick<
  NonNullable<JobsRunSets["changed"]>,
  "id" | "ref" | "name" | "members" | "rule" | "isDeleted" | "isApart"
>;

export function RunSetChanged({ changed }: { changed: Changed }) {
  const router = useRouter();
  const { problem, isPending, run } = useAction();
  const { id, ref, isApart, isDeleted } = changed;
  const change = isDeleted ? restoreRunSetAction : deleteRunSetAction;
  return (
    <div className="run-set-changed">
      <p role="status">
        <Done changed={changed} />
      </p>
      <ForAction action="restoreRunSetAction">
        <Button
          look="bare"
          data-command="list.undo"
          disabled={isPending}
          onClick={() => run(() => change(id).finally(() => router.refresh()))}
        >
          <Undo2 size={14} aria-hidden />
          {isDeleted ? (isApart ? "Not repeats" : "Restore") : "Undo"}
          <CommandKey id="list.undo" />
        </Button>
      </ForAction>
      {isDeleted || isApart ? null : <Link href={compareParamsHref({ refs: [ref] })}>Compare</Link>}
      <Problem>{problem}</Problem>
    </div>
  );
}

function Done({ changed: { name, members, rule, isApart, isDeleted } }: { changed: Changed }) {
  const jobs = members.map((member) => member.name).join(", ");
  if (isApart)
    return (
      <>{isDeleted ? `${jobs} can be suggested as repeats again.` : `${jobs} will not be suggested again.`}</>
    );
  if (isDeleted)
    return (
      <>
        <b>{name}</b> was split: {jobs} count separately.
      </>
    );
  return (
    <>
      Counted {jobs} together as <b>{name}</b>.{rule === null ? "" : " New jobs that match join it."}
    </>
  );
}

export function RunSetRule({ params, apart }: { params: JobsParams } & Pick<JobsRunSets, "apart">) {
  const router = useRouter();
  return (
    <details className={params.rule === null ? "facet" : "facet facet-on"} data-menu="">
      <summary>
        Rule for repeats
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <FieldsForm
          className="run-set-rule"
          onSend={(read, form) => {
            const text = read("rule").trim();
            form.closest("details")?.removeAttribute("open");
            router.push(jobsHref(params, { rule: text === "" || text === "numbers" ? null : text }));
          }}
        >
          <label htmlFor="run-set-rule">Names of repeats</label>
          <input
            id="run-set-rule"
            className="input"
            name="rule"
            defaultValue={params.rule ?? "numbers"}
            maxLength={200}
            spellCheck={false}
          />
          <p>
            <code>numbers</code>: names that differ by a number at the end. Anything else is a regular
            expression: jobs with the same first group, or the same match, form one set, as in{" "}
            <code>assay compare --pool</code>.
          </p>
          <Button type="submit">Apply</Button>
        </FieldsForm>
        <ApartList apart={apart} />
      </div>
    </details>
  );
}

function ApartList({ apart }: Pick<JobsRunSets, "apart">) {
  const router = useRouter();
  const { isPending, run } = useAction({ isAnnounced: true });
  if (apart.length === 0) return null;
  return (
    <ul aria-label="Not repeats">
      {apart.map(({ id, jobs }) => (
        <li key={id}>
          <span>
            <b>Not repeats:</b> {jobs.join(", ")}
          </span>
          <ForAction action="deleteRunSetAction">
            <Button
              look="bare"
              disabled={isPending}
              onClick={() =>
                run(
                  () => deleteRunSetAction(id),
                  () => router.refresh(),
                )
              }
            >
              Suggest again
            </Button>
          </ForAction>
        </li>
      ))}
    </ul>
  );
}
