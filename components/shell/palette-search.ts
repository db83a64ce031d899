import { useEffect, useState } from "react";

import type { SearchAnswer } from "@/lib/queries/shell/search";

const DEBOUNCE_MS = 80;

/** What a search found so far. The results of the text before stay until those of the new one are there. */
export interface PaletteSearch {
  readonly answer: SearchAnswer | null;
  /** Text that `answer` is for. */
  readonly text: string | null;
  /** Why there is no answer to the last text, in one sentence. */
  readonly failure: string | null;
}

/** Asks the server while somebody types: the first time at once, then when they pause, and only for the last text. */
export function usePaletteSearch(text: string): PaletteSearch {
  const [search, setSearch] = useState<PaletteSearch>({ answer: null, text: null, failure: null });
  const isFirst = search.answer === null;
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      const found = await askServer(text, stop.signal);
      if (stop.signal.aborted) return;
      setSearch((last) =>
        typeof found === "string" ? { ...last, failure: found } : { answer: found, text, failure: null },
      );
    };
    const timer = setTimeout(() => void ask(), isFirst ? 0 : DEBOUNCE_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the first answer is no reason to ask again
  }, [text]);
  return search;
}

/** The answer, or why there is none. */
async function askServer(text: string, signal: AbortSignal): Promise<SearchAnswer | string> {
  try {
    const response = await fetch(`/api/search?q=${encodeURIComponent(text.toWellFormed())}`, { signal });
    const body: unknown = await response.json();
    // The server of this very build wrote it.
    if (response.ok) return body as SearchAnswer;
    const hasMessage = typeof body === "object" && body !== null && "message" in body;
    return hasMessage ? String(body.message) : "The search failed. The terminal that runs Assay says more.";
  } catch (error) {
    if (error instanceof Error) return "Assay does not answer. Is it still running?";
    throw error;
  }
}
