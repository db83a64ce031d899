import { ButtonLink, KeyCap } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { buildHref } from "@/lib/addresses/href";

/** What reviewing is and how to begin, before the first judgment. */
export function NoAnnotations() {
  return (
    <Notice
      title="Nobody has judged a trial yet"
      actions={<ButtonLink href={buildHref("/")}>Open the jobs</ButtonLink>}
    >
      <p>
        Open any trial of a job. The review form at its right takes pass, fail or defer (<KeyCap>1</KeyCap>{" "}
        <KeyCap>2</KeyCap> <KeyCap>3</KeyCap>), categories and a note; <KeyCap>Ctrl ↵</KeyCap> saves it and
        opens the next trial without a judgment of yours.
      </p>
      <p>Judgments are kept in a file of their own, outside of the job folders, and never change a reward.</p>
    </Notice>
  );
}
