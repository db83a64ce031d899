"use client";

import { ChartNoAxesColumn } from "lucide-react";
import { useRouter } from "next/navigation";

import { ForAction } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { useTicked } from "@/components/ui/tick-all";
import { withBasePath } from "@/lib/core/domain/base-path";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { formatCost, formatPlural } from "@/lib/core/format/number";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";

import "./compare-selection.css";

/** The checkboxes belong to the form by its id. The style sheet shows it while one is ticked. */
export function CompareSelection({ formId, params }: { formId: string; params: JobsParams }) {
  const { count, clear, list, listData, listOldestFirst } = useTicked(formId);
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
      <span aria-live="polite">
        {count === 0 ? null : (
          <>
            <b>{formatPlural(count, "group")} selected</b> {describeTotals(listData())}
            {count > MAX_GROUPS ? `, the first ${MAX_GROUPS} are compared` : ""}
          </>
        )}
      </span>
      <Button look="main" type="submit" title="Compare the selected groups, the oldest as the baseline">
        <ChartNoAxesColumn size={16} aria-hidden />
        {count < 2 ? "Compare" : `Compare ${Math.min(count, MAX_GROUPS)} groups`}
      </Button>
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
      <Button look="bare" onClick={clear}>
        Clear
      </Button>
    </form>
  );
}

/** A run that is ticked with its set counts once. */
function describeTotals(ticked: readonly DOMStringMap[]): string {
  const sets = new Set(ticked.flatMap(({ set = [] }) => set));
  const rows = ticked.filter(({ member }) => member === undefined || !sets.has(member));
  const sum = (name: string): number => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);
  const [nTrials, nUnknown] = [sum("trials"), sum("unknown")];
  const cost = nUnknown === nTrials ? "cost unknown" : `$${formatCost(sum("cost"))}`;
  const unknown =
    nUnknown === 0 || nUnknown === nTrials ? "" : ` and ${formatPlural(nUnknown, "trial")} of unknown cost`;
  return `${formatPlural(nTrials, "trial")}, ${cost}${unknown}`;
}
