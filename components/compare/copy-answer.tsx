"use client";

import { CopyButton } from "@/components/ui/copy-button";

/** Copies the answer with the URL of the page, which only the browser knows. */
export function CopyAnswer({ text }: { text: string }) {
  return (
    <CopyButton text={() => `${text}\n${location.href}`} label="Copy as Markdown">
      Copy as Markdown
    </CopyButton>
  );
}
