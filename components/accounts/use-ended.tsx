"use client";

import { type ReactNode, useRef, useState } from "react";

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
