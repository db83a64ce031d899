"use client";

import { useEffect, useState } from "react";

import { Link } from "@/components/ui/link";
import { withBasePath } from "@/lib/core/domain/base-path";
import { jobHref } from "@/lib/pages/address/href";

export interface SimilarName {
  readonly key: string;
  readonly name: string;
}

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

/** Suggestions are optional, so a failure omits them. */
async function readSimilarNames(wanted: string, signal: AbortSignal): Promise<readonly SimilarName[]> {
  const response = await fetch(withBasePath(`/jobs/${encodeURIComponent(wanted)}/similar-names`), { signal });

  return response.ok ? ((await response.json()) as readonly SimilarName[]) : [];
}
