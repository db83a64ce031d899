"use client";

import { useRouter } from "next/navigation";

import { readReviewer } from "@/components/annotations/drafts";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import { saveRunSetAction } from "@/lib/pages/run-sets/actions";

export function NotRepeatsButton({
  refs,
  jobs,
  params,
}: {
  refs: readonly string[];
  jobs: string;
  params: JobsParams;
}) {
  const router = useRouter();
  const { isPending, run } = useAction({ isAnnounced: true });
  const dismiss = (): void => {
    const { reviewerId } = readReviewer();
    const createdBy = reviewerId === "" ? null : reviewerId;
    const set = { name: "Not repeats", refs, createdBy, rule: null, kind: "apart" } as const;
    run(
      () => saveRunSetAction(set),
      ({ id }) => router.push(jobsHref(params, { changed: id, page: params.page })),
    );
  };
  return (
    <Button
      look="bare"
      disabled={isPending}
      onClick={dismiss}
      title={`${jobs} are not repeats: do not suggest this again`}
    >
      Not repeats
    </Button>
  );
}
