"use client";

import { useRouter } from "next/navigation";
import { startTransition, useEffect, useEffectEvent, useState } from "react";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { readStoreDigest } from "@/lib/core/domain/app-error";

import { useLiveState, nameVersion } from "./live-state";
import { useOwnTry } from "./try-again";

export function describeError(error: Error & { digest?: string }): string {
  return (
    readStoreDigest(error.digest) ?? [error.name, error.message, error.digest].filter(Boolean).join("\n")
  );
}

export function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const router = useRouter();
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  useNews(retry);
  useOwnTry("page", retry);
  const details = describeError(error);
  return (
    <main id="main">
      <Notice
        tone="error"
        isPage
        title="This page cannot be shown"
        code={details}
        actions={
          <>
            <Button onClick={retry}>Read again</Button>
            <CopyButton text={details} label="Copy details">
              Copy details
            </CopyButton>
          </>
        }
      >
        Nothing is lost: job folders are only read, and annotations are saved as soon as they are made. If it
        happens again, check the terminal that runs Assay.
      </Notice>
    </main>
  );
}

function useNews(onNews: () => void): void {
  const live = useLiveState();
  const version = live === null ? null : nameVersion(live);
  const [first] = useState(version);
  const tell = useEffectEvent(onNews);
  useEffect(() => {
    if (version !== first) tell();
  }, [version, first]);
}
