"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";

import { readReviewer } from "@/components/annotations/draft-storage";
import { announce } from "@/components/shell/announcer";
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
  const [isSaving, startSaving] = useTransition();
  const dismiss = (): void =>
    startSaving(async () => {
      const { reviewerId } = readReviewer();
      const createdBy = reviewerId === "" ? null : reviewerId;
      const set = { name: "Not repeats", refs, createdBy, rule: null, kind: "apart" } as const;
      const result = await saveRunSetAction(set).catch(() => null);
      if (result?.status === "done") router.push(jobsHref(params, { changed: result.id, page: params.page }));
      else announce(result?.message ?? "Assay is not responding. Nothing was saved.", { isShown: true });
    });
  return (
    <Button
      look="bare"
      disabled={isSaving}
      onClick={dismiss}
      title={`${jobs} are no repeats: do not suggest it again`}
    >
      Not repeats
    </Button>
  );
}
