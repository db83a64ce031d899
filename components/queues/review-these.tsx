import { ListChecks } from "lucide-react";

import { ForAction } from "@/components/shell/account-context";
import { Link } from "@/components/ui/link";
import { newQueueHref, type NewQueueParams } from "@/lib/pages/annotations/review-address";

/** Longer filters do not fit into the form's URL, and a cut one would be another list. */
const LONGEST_FILTER = 4_000;

export function ReviewThese({ address, nTrials }: { address: Partial<NewQueueParams>; nTrials: number }) {
  const filter = address.list ?? address.judged ?? "";
  if (nTrials === 0 || filter.length > LONGEST_FILTER) return null;
  return (
    <ForAction action="makeQueueAction">
      <Link
        className="button button-plain"
        href={newQueueHref(address)}
        data-make-queue=""
        title="Make a queue of these trials"
      >
        <ListChecks size={16} aria-hidden />
        Review these
      </Link>
    </ForAction>
  );
}
