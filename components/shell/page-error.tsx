"use client";

import { useRouter } from "next/navigation";
import { startTransition, useEffect, useEffectEvent, useState } from "react";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { Sprite } from "@/components/ui/sprite";
import { readStoreDigest } from "@/lib/core/domain/app-error";

import { nameVersion, useLiveState } from "./live-state";

type PageFailure = Error & { digest?: string };

function FailedPage({
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

/** Reloads the page automatically, see `useOwnTry`. */
export function WholePageError({
  error,
  fonts,
}: {
  error: Error & { digest?: string };
  /** Class names that load the fonts. */
  fonts: string;
}) {
  // The theme from before this replaced the page.
  const [theme] = useState(() =>
    typeof document === "undefined" ? undefined : document.documentElement.dataset["theme"],
  );
  useOwnTry("window", () => location.reload());
  return (
    <html lang="en" className={fonts} data-theme={theme}>
      <body>
        <title>Not loaded · Assay</title>
        <Sprite />
        <FailedPage
          error={error}
          title="This page did not load"
          action="Load again"
          onRetry={() => location.reload()}
        >
          No saved data is lost.
        </FailedPage>
      </body>
    </html>
  );
}

/** Key in session storage for the last automatic retry, in milliseconds since 1970. */
const TRIED_KEY = "assay-tried-again";
/** Limits retries, so that a permanent failure stays visible. */
const EVERY_MS = 30_000;

/** Retries a failed page or window once in thirty seconds: a server that stopped mid-answer may be back. */
function useOwnTry(what: "page" | "window", tryAgain: () => void): void {
  const tryOnce = useEffectEvent(() => {
    if (takeOwnTry(what)) tryAgain();
  });
  useEffect(() => tryOnce(), []);
}

export function takeOwnTry(what: string): boolean {
  const key = `${TRIED_KEY}-${what}`;
  try {
    const now = Date.now();
    // A clock that was set back must not block retries.
    if (Math.abs(now - Number(sessionStorage.getItem(key))) < EVERY_MS) return false;
    sessionStorage.setItem(key, String(now));
    return true;
  } catch {
    // Blocked storage cannot record retries, so none is made.
    return false;
  }
}
