"use client";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";

/** A page that could not be built: what happened, a way to try again, and the details to pass on. */
export function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const details = [error.name, error.message, error.digest].filter(Boolean).join("\n");
  return (
    <main id="main">
      <Notice
        tone="error"
        title="This page cannot be shown"
        code={details}
        actions={
          <>
            <Button onClick={reset}>Read again</Button>
            <CopyButton text={details} label="Copy details">
              Copy details
            </CopyButton>
          </>
        }
      >
        Nothing is lost: job folders are only read, and annotations are saved as soon as they are made. If it
        happens again, the terminal that runs Assay says more.
      </Notice>
    </main>
  );
}
