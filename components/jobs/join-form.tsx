"use client";

import { useRouter } from "next/navigation";

import { readReviewer } from "@/components/annotations/drafts";
import { useAction } from "@/components/shell/use-action";
import { Button, ButtonLink, KeyCap } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import { saveRunSetAction } from "@/lib/pages/run-sets/actions";

export function JoinForm({
  name,
  refs,
  rule,
  params,
}: {
  name: string;
  refs: readonly string[];
  rule: string | null;
  params: JobsParams;
}) {
  const router = useRouter();
  const { problem, isPending, run } = useAction();
  const save = (chosen: string, grows: boolean): void => {
    const { reviewerId } = readReviewer();
    const createdBy = reviewerId === "" ? null : reviewerId;
    const set = { name: chosen, refs, createdBy, rule: grows ? rule : null, kind: "together" } as const;
    run(
      () => saveRunSetAction(set),
      ({ id }) => router.push(jobsHref(params, { join: [], changed: id, page: params.page })),
    );
  };
  return (
    <form
      className="join-form"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const chosen = data.get("name");
        save(typeof chosen === "string" ? chosen : "", data.has("grows"));
      }}
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
    </form>
  );
}
