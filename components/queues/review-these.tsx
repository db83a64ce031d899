import { ListChecks } from "lucide-react";

import { ForAction } from "@/components/shell/account-context";
import { Link } from "@/components/ui/link";
import { newQueueHref, type NewQueueParams } from "@/lib/pages/annotations/review-address";

/** Longer filters do not fit into the form's URL, and a cut one would be another list. */
export const LONGEST_FILTER = 4_000;

interface ReviewTheseProps {
  readonly address: Partial<NewQueueParams>;
  readonly nTrials: number;
  readonly label?: string;
}

/** @param label - by default it is one of several actions; with one it is the main action of its part */
export function ReviewThese({ address, nTrials, label }: ReviewTheseProps) {
  const filter = address.list ?? address.judged ?? "";
  if (nTrials === 0 || filter.length > LONGEST_FILTER) return null;
  return (
    <ForAction action="makeQueueAction">
      <Link
        className={label === undefined ? "button button-plain" : "button button-main"}
        href={newQueueHref(address)}
        data-make-queue=""
        title="Make a queue of these trials"
      >
        <ListChecks size={16} aria-hidden />
        {label ?? "Review these"}
      </Link>
    </ForAction>
  );
}
