"use client";

import Link from "next/link";
import { useParams } from "next/navigation";

import { jobHref } from "@/lib/format/href";

import { rankNearNames } from "./job-near-rank";

/** Jobs whose names are nearest to the one in the address. */
export function JobNearNames({ jobs }: { jobs: readonly { readonly key: string; readonly name: string }[] }) {
  const { job } = useParams<{ job?: string }>();
  const wanted = decodeURIComponent(job ?? "");
  const near = rankNearNames(wanted, jobs);
  if (near.length === 0) return null;
  return (
    <>
      <p>{near.length === 1 ? "The nearest name:" : "The nearest names:"}</p>
      <ul>
        {near.map(({ key, name }) => (
          <li key={key}>
            <Link href={jobHref(key)} prefetch={false}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
