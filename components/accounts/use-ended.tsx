"use client";

import { type ReactNode, useRef, useState } from "react";

/** Announces what was just revoked and takes the focus of the removed button. */
export function useEnded(): { readonly line: ReactNode; readonly say: (words: string) => void } {
  const [words, setWords] = useState("");
  const line = useRef<HTMLParagraphElement>(null);
  return {
    line: (
      <p role="status" tabIndex={-1} ref={line} className="account-ended">
        {words}
      </p>
    ),
    say: (next) => {
      setWords(next);
      line.current?.focus();
    },
  };
}
