"use client";

import { useState } from "react";

import { Sprite } from "@/components/ui/sprite";

import { FailedPage } from "./page-error";
import { useOwnTry } from "./try-again";

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
