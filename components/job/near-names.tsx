"use client";

import { useEffect, useState } from "react";

import { jobHref } from "@/lib/addresses/href";
import { SoftLink } from "@/components/ui/soft-link";

/** A job whose name is near the one that was asked for. */
export interface NearName {
  readonly key: string;
  readonly name: string;
}

/** Jobs whose names are nearest to the one in the address, asked for once the page is there. */
export function JobNearNames({ wanted }: { wanted: string }) {
  const [near, setNear] = useState<readonly NearName[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    void readNearNames(wanted, stop.signal).then(setNear, () => undefined);
    return () => stop.abort();
  }, [wanted]);
  if (near.length === 0) return null;
  return (
    <>
      <p>{near.length === 1 ? "The nearest name:" : "The nearest names:"}</p>
      <ul>
        {near.map(({ key, name }) => (
          <li key={key}>
            <SoftLink href={jobHref(key)}>{name}</SoftLink>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The page says enough without suggestions, so a failure leaves them out. */
async function readNearNames(wanted: string, signal: AbortSignal): Promise<readonly NearName[]> {
  const response = await fetch(`/jobs/${encodeURIComponent(wanted)}/near`, { signal });

  return response.ok ? ((await response.json()) as readonly NearName[]) : [];
}
