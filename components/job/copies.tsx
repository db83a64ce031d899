import { Link } from "@/components/ui/link";
import { formatPlural } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import type { JobCopy } from "@/lib/store/tables";

export function JobCopies({ jobKey, copies }: { jobKey: string; copies: readonly JobCopy[] }) {
  const own = copies.find(({ key }) => key === jobKey);
  if (own === undefined) return null;
  const others = copies.filter((copy) => copy !== own && (own.isCounted || copy.isCounted));
  return (
    <p className="muted" role="note">
      {own.isCounted
        ? "This job has several copies. This one counts. Others: "
        : `This copy does not count (${describeDifference(own)}). Counted copy: `}
      {others.map((copy, at) => (
        <span key={copy.key}>
          {at === 0 ? "" : ", "}
          <Link href={jobHref(copy.key)}>{copy.place}</Link>
          {copy.isCounted ? "" : ` (${describeDifference(copy)})`}
        </span>
      ))}
    </p>
  );
}

export function describeDifference({ nDifferent }: JobCopy): string {
  return nDifferent === 0 ? "same results" : formatPlural(nDifferent, "different trial");
}
