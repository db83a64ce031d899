"use client";

import { ChartNoAxesColumn } from "lucide-react";
import { useRouter } from "next/navigation";

import { ForAction } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { useTicked } from "@/components/ui/use-ticked";
import { withBasePath } from "@/lib/core/domain/base-path";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";

/** The checkboxes belong to the form by its id. */
export function CompareSelection({ formId, params }: { formId: string; params: JobsParams }) {
  const { count, clear, list, listOldestFirst } = useTicked(formId);
  const router = useRouter();
  const join = (): void => router.push(jobsHref(params, { join: list(), changed: null, page: params.page }));
  return (
    <form
      id={formId}
      action={withBasePath("/compare")}
      className="compare-selection"
      onSubmit={(event) => {
        // The list may have the newest first, which is no baseline.
        event.preventDefault();
        router.push(compareParamsHref({ refs: listOldestFirst() }));
      }}
    >
      {count === 0 ? null : (
        <>
          <b aria-live="polite">
            {count === 1 ? "1 group selected" : `${count} groups selected`}
            {count > MAX_GROUPS ? `, the first ${MAX_GROUPS} are compared` : ""}
          </b>
          <Button look="bare" onClick={clear}>
            Clear
          </Button>
        </>
      )}
      {count === 0 ? null : (
        <ForAction action="saveRunSetAction">
          <Button
            data-command="list.join"
            onClick={join}
            title="Count the attempts of the selected groups together, as one run set"
          >
            Count together
            <CommandKey id="list.join" />
          </Button>
        </ForAction>
      )}
      <Button type="submit" aria-disabled={count === 0} title="Select groups of any jobs, then compare them">
        <ChartNoAxesColumn size={16} aria-hidden />
        {count < 2 ? "Compare" : `Compare ${Math.min(count, MAX_GROUPS)} groups`}
      </Button>
    </form>
  );
}
