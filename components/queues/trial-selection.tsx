"use client";

import { ListChecks } from "lucide-react";
import type { ReactNode } from "react";

import { ForAction } from "@/components/shell/account-context";
import { Button } from "@/components/ui/button";
import { useTicked } from "@/components/ui/tick-all";
import { withBasePath } from "@/lib/core/domain/base-path";
import { formatCount } from "@/lib/core/format/number";

import "./trial-selection.css";

/** With ticked trials it makes a queue of them; otherwise `children` makes one of the whole list. */
export function TrialSelection({ formId, children }: { formId: string; children: ReactNode }) {
  const { count, clear } = useTicked(formId);
  return (
    <form id={formId} action={withBasePath("/annotations/queues/new")} className="row trial-selection">
      {count === 0 ? (
        children
      ) : (
        <>
          <b aria-live="polite">{formatCount(count)} selected</b>
          <ForAction action="makeQueueAction">
            <Button type="submit" data-make-queue="">
              <ListChecks size={16} aria-hidden />
              Review these
            </Button>
          </ForAction>
          <Button look="bare" onClick={clear}>
            Clear
          </Button>
        </>
      )}
    </form>
  );
}
