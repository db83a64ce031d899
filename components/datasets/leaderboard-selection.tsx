"use client";

import { ChartNoAxesColumn } from "lucide-react";
import { useRouter } from "next/navigation";
import type { SubmitEvent } from "react";

import { Button } from "@/components/ui/button";
import { useTicked } from "@/components/ui/tick-all";
import { withBasePath } from "@/lib/core/domain/base-path";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { compareParamsHref } from "@/lib/pages/compare/address";

import "@/components/jobs/compare-selection.css";

/** Keeps the order of the list, because the first becomes the baseline. A run set has several references. */
function readTicked(form: HTMLFormElement): readonly string[] {
  return [...document.querySelectorAll<HTMLInputElement>(`input[form="${form.id}"]:checked`)].flatMap(
    ({ dataset, value }) => {
      const refs: unknown = JSON.parse(dataset["refs"] ?? JSON.stringify([value]));
      return Array.isArray(refs) ? refs.map(String) : [];
    },
  );
}

export function LeaderboardSelection({ formId }: { formId: string }) {
  const { count, clear } = useTicked(formId);
  const router = useRouter();
  const compare = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (count > 0) router.push(compareParamsHref({ refs: readTicked(event.currentTarget), order: "chosen" }));
  };
  return (
    <form id={formId} action={withBasePath("/compare")} className="compare-selection" onSubmit={compare}>
      {count === 0 ? null : (
        <>
          <b aria-live="polite">
            {count} selected{count > MAX_GROUPS ? `, the first ${String(MAX_GROUPS)} are compared` : ""}
          </b>
          <Button look="bare" onClick={clear}>
            Clear
          </Button>
        </>
      )}
      <Button type="submit" aria-disabled={count === 0} title="Select groups, then compare them">
        <ChartNoAxesColumn size={16} aria-hidden />
        Compare
      </Button>
    </form>
  );
}
