"use client";

import { useState } from "react";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { Sprite } from "@/components/ui/sprite";

import { describeError } from "./page-error";
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
  const details = describeError(error);
  return (
    <html lang="en" className={fonts} data-theme={theme}>
      <body>
        <title>Not loaded · Assay</title>
        <Sprite />
        <main id="main">
          <Notice
            tone="error"
            isPage
            title="This page did not load"
            code={details}
            actions={
              <>
                <Button onClick={() => location.reload()}>Load again</Button>
                <CopyButton text={details} label="Copy details">
                  Copy details
                </CopyButton>
              </>
            }
          >
            Nothing that was saved is lost. If it happens again, check the terminal that runs Assay.
          </Notice>
        </main>
      </body>
    </html>
  );
}
