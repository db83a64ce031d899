import { Link } from "@/components/ui/link";
import { formatPlural } from "@/lib/core/format/number";
import type { JobAgreement } from "@/lib/pages/conflicts/page";

export function JobAgreementLine({ agreement }: { agreement: JobAgreement | null }) {
  if (agreement === null) return null;
  const { percent, reason, nPairs, nOpen, href } = agreement;
  const share =
    percent === null
      ? `Reviewers’ agreement not shown: ${reason ?? "unknown"}`
      : `Reviewers agree on ${percent} of ${formatPlural(nPairs, "trial")} reviewed twice`;
  return (
    <p className="muted">
      {share}, <Link href={href}>{formatPlural(nOpen, "open conflict")}</Link>.
    </p>
  );
}
