"use client";

import { useState, useTransition } from "react";

import { lookAgainAction } from "@/lib/actions/load-report";
import { Button } from "@/components/ui/button";

const NO_ANSWER = "Assay does not answer. Is it still running?";

/** Has every open folder looked at now, those whose reading failed too, and says what came of it. */
export function LookAgain() {
  const [isLooking, startLooking] = useTransition();
  const [words, setWords] = useState("");
  const look = (): void =>
    startLooking(async () => {
      setWords("");
      const failure = await lookAgainAction().catch(() => NO_ANSWER);
      setWords(failure ?? "Looked at just now.");
    });
  return (
    <>
      <span role="status" className="muted">
        {isLooking ? "Looking at the folders" : words}
      </span>
      <Button disabled={isLooking} onClick={look}>
        Look again
      </Button>
    </>
  );
}
