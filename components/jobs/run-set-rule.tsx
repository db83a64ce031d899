"use client";

import { ChevronDown } from "lucide-react";
import { useRouter } from "next/navigation";

import { ForAction } from "@/components/shell/account-context";
import { useAction } from "@/components/shell/use-action";

import "./run-set-suggestions.css";
import { Button } from "@/components/ui/button";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import { deleteRunSetAction } from "@/lib/pages/run-sets/actions";
import type { JobsRunSets } from "@/lib/pages/run-sets/jobs-run-sets";

export function RunSetRule({ params, apart }: { params: JobsParams } & Pick<JobsRunSets, "apart">) {
  const router = useRouter();
  return (
    <details className={params.rule === null ? "facet" : "facet facet-on"} data-menu="">
      <summary>
        Rule for repeats
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <form
          className="run-set-rule"
          onSubmit={(event) => {
            event.preventDefault();
            const rule = new FormData(event.currentTarget).get("rule");
            const text = typeof rule === "string" ? rule.trim() : "";
            event.currentTarget.closest("details")?.removeAttribute("open");
            router.push(jobsHref(params, { rule: text === "" || text === "numbers" ? null : text }));
          }}
        >
          <label htmlFor="run-set-rule">Names of repeats</label>
          <input
            id="run-set-rule"
            className="input"
            name="rule"
            defaultValue={params.rule ?? "numbers"}
            maxLength={200}
            spellCheck={false}
          />
          <p>
            <code>numbers</code>: names that differ by a number at the end. Anything else is a regular
            expression: jobs with the same first group, or the same match, form one set, as in{" "}
            <code>assay compare --pool</code>.
          </p>
          <Button type="submit">Apply</Button>
        </form>
        <ApartList apart={apart} />
      </div>
    </details>
  );
}

function ApartList({ apart }: Pick<JobsRunSets, "apart">) {
  const router = useRouter();
  const { isPending, run } = useAction({ isAnnounced: true });
  if (apart.length === 0) return null;
  return (
    <ul aria-label="Not repeats">
      {apart.map(({ id, jobs }) => (
        <li key={id}>
          <span>
            <b>Not repeats:</b> {jobs.join(", ")}
          </span>
          <ForAction action="deleteRunSetAction">
            <Button
              look="bare"
              disabled={isPending}
              onClick={() =>
                run(
                  () => deleteRunSetAction(id),
                  () => router.refresh(),
                )
              }
            >
              Suggest again
            </Button>
          </ForAction>
        </li>
      ))}
    </ul>
  );
}
