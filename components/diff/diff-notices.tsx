import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { jobHref } from "@/lib/pages/address/href";
import type { TrialRef } from "@/lib/pages/diff/address";

export function NothingChosen() {
  return (
    <>
      <PageTitle title="Side by side" summary="Steps, tests, dimensions and files of two trials." />
      <Notice title="Choose a trial first" actions={<ButtonLink href="/">All jobs</ButtonLink>}>
        Open a trial and press c, or choose “Compare side by side” next to its other attempts.
      </Notice>
    </>
  );
}

export function DiffNotFound({ letter, named }: { letter: string; named: TrialRef }) {
  return (
    <Notice
      title={`Trial ${letter} is not in the open folders`}
      code={`${named.jobKey}/${named.trialKey}`}
      actions={<ButtonLink href={jobHref(named.jobKey)}>Its job</ButtonLink>}
    >
      The link may be incomplete, the folder was deleted, its job is not read yet, or its folder is not open.
    </Notice>
  );
}
