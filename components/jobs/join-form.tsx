"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";

import { readReviewer } from "@/components/annotations/draft-storage";
import { Button, ButtonLink, KeyCap } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import { saveRunSetAction } from "@/lib/pages/run-sets/actions";

const NO_ANSWER = "Assay is not responding. Nothing was saved.";

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
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaving, startSaving] = useTransition();
  const save = (chosen: string, grows: boolean): void =>
    startSaving(async () => {
      const { reviewerId } = readReviewer();
      const createdBy = reviewerId === "" ? null : reviewerId;
      const set = { name: chosen, refs, createdBy, rule: grows ? rule : null, kind: "together" } as const;
      const result = await saveRunSetAction(set).catch(() => null);
      if (result?.status === "done")
        router.push(jobsHref(params, { join: [], changed: result.id, page: params.page }));
      else setFailure(result?.message ?? NO_ANSWER);
    });
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
          <input type="checkbox" name="grows" /> Take up new jobs{" "}
          {rule === "numbers" ? (
            "whose names are alike but for a number at the end"
          ) : (
            <>
              that match <code>{rule}</code>
            </>
          )}
        </label>
      )}
      <Problem>{failure}</Problem>
      <div className="row">
        <Button type="submit" look="main" disabled={isSaving || refs.length < 2}>
          Count {refs.length} together <KeyCap>↵</KeyCap>
        </Button>
        <ButtonLink href={jobsHref(params, { join: [], page: params.page })}>Cancel</ButtonLink>
        <span className="caption">{refs.length < 2 ? "Select two runs or more" : "Undo any time"}</span>
      </div>
    </form>
  );
}
