import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { jobHref } from "@/lib/pages/address/href";
import type { TrialRef } from "@/lib/pages/beside/address";

export function NothingChosen() {
  return (
    <>
      <PageTitle
        title="Side by side"
        summary="Two trials beside each other: steps, tests, dimensions and files."
      />
      <Notice title="Choose a trial first" actions={<ButtonLink href="/">All jobs</ButtonLink>}>
        Open a trial and press c, or follow “Compare side by side” beside its other attempts.
      </Notice>
    </>
  );
}

export function BesideNotFound({ letter, named }: { letter: string; named: TrialRef }) {
  return (
    <Notice
      title={`Trial ${letter} is not in the open folders`}
      code={`${named.jobKey}/${named.trialKey}`}
      actions={<ButtonLink href={jobHref(named.jobKey)}>Its job</ButtonLink>}
    >
      The link may be incomplete, the folder was deleted on disk, its job is not read yet, or it is not among
      the folders that Assay was started with.
    </Notice>
  );
}
