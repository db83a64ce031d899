"use client";

import { useRouter } from "next/navigation";
import { startTransition, useEffect, useEffectEvent, useState } from "react";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { readStoreDigest } from "@/lib/core/domain/app-error";

import { useLiveState, nameVersion } from "./live-state";
import { useOwnTry } from "./try-again";

type PageFailure = Error & { digest?: string };

export function FailedPage({
  error,
  title,
  action,
  onRetry,
  children,
}: {
  error: PageFailure;
  title: string;
  action: string;
  onRetry: () => void;
  children: string;
}) {
  const { name, message, digest } = error;
  const details = readStoreDigest(digest) ?? [name, message, digest].filter(Boolean).join("\n");
  return (
    <main id="main">
      <Notice
        tone="error"
        isPage
        title={title}
        code={details}
        actions={
          <>
            <Button onClick={onRetry}>{action}</Button>
            <CopyButton text={details} label="Copy details">
              Copy details
            </CopyButton>
          </>
        }
      >
        {children} If it happens again, check the terminal that runs Assay.
      </Notice>
    </main>
  );
}

export function PageError({ error, reset }: { error: PageFailure; reset: () => void }) {
  const router = useRouter();
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  useNews(retry);
  useOwnTry("page", retry);
  return (
    <FailedPage error={error} title="This page cannot be shown" action="Read again" onRetry={retry}>
      Nothing is lost: job folders are read-only, and annotations are saved immediately.
    </FailedPage>
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
