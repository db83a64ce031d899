"use client";

import { useEffect, useState } from "react";

import { withBasePath } from "@/lib/domain/base-path";
import { jobHref } from "@/lib/addresses/href";
import { Link } from "@/components/ui/link";

/** A job with a name similar to the one in the address. */
export interface SimilarName {
  readonly key: string;
  readonly name: string;
}

/** Links to jobs with names similar to the one in the address, loaded after the page. */
export function SimilarJobNames({ wanted }: { wanted: string }) {
  const [similar, setSimilar] = useState<readonly SimilarName[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    void readSimilarNames(wanted, stop.signal).then(setSimilar, () => undefined);
    return () => stop.abort();
  }, [wanted]);
  if (similar.length === 0) return null;
  return (
    <>
      <p>{similar.length === 1 ? "Did you mean:" : "Did you mean one of these:"}</p>
      <ul>
        {similar.map(({ key, name }) => (
          <li key={key}>
            <Link href={jobHref(key)}>{name}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The page says enough without suggestions, so a failure leaves them out. */
async function readSimilarNames(wanted: string, signal: AbortSignal): Promise<readonly SimilarName[]> {
  const response = await fetch(withBasePath(`/jobs/${encodeURIComponent(wanted)}/similar-names`), { signal });

  return response.ok ? ((await response.json()) as readonly SimilarName[]) : [];
}
