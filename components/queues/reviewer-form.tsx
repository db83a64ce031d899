"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";

import { readReviewer, rememberReviewer } from "@/components/annotations/draft-storage";
import { focusWhereLost } from "@/components/annotations/use-focus-after";
import { Button } from "@/components/ui/button";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { findNameProblem } from "@/lib/core/domain/name-problem";

/** Asked once per browser: without a name no trial of a queue is handed out. */
export function ReviewerForm({ names }: { names: readonly string[] }) {
  const router = useRouter();
  const inBrowser = useInBrowser();
  const [name, setName] = useState("");
  const [discipline, setDiscipline] = useState("");
  const problem = findNameProblem(name);
  const isGiven = useRef(false);
  // The form disappears once there is a name, and the focus with it.
  useEffect(
    () => () => {
      if (isGiven.current) focusWhereLost("[data-review-next]", "#main");
    },
    [],
  );
  return (
    <form
      className="queue-name-form"
      aria-label="Who reviews"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === "" || problem !== null) return;
        const reviewerDiscipline =
          discipline.trim() === "" ? readReviewer().reviewerDiscipline : discipline.trim();
        rememberReviewer({ reviewerId: name.trim(), reviewerDiscipline });
        isGiven.current = true;
        router.refresh();
      }}
    >
      <label className="queue-field">
        <span className="caption">
          {names.length === 0
            ? "Your name, shown with your judgments"
            : `Your name, one of ${names.join(", ")}`}
        </span>
        <input
          className="input"
          name="reviewer"
          disabled={!inBrowser}
          value={name}
          maxLength={DRAFT_LIMITS.reviewerId}
          autoComplete="name"
          aria-invalid={problem !== null}
          onChange={(event) => setName(event.target.value)}
        />
        {problem === null ? null : (
          <span className="caption" role="alert">
            {problem}
          </span>
        )}
      </label>
      <label className="queue-field">
        <span className="caption">Your discipline (optional)</span>
        <input
          className="input"
          name="discipline"
          disabled={!inBrowser}
          value={discipline}
          maxLength={DRAFT_LIMITS.reviewerDiscipline}
          onChange={(event) => setDiscipline(event.target.value)}
        />
      </label>
      <Button type="submit">Review under this name</Button>
    </form>
  );
}
