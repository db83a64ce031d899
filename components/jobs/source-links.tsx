import { Link } from "@/components/ui/link";
import { jobHref } from "@/lib/pages/address/href";
import type { JobLineage } from "@/lib/pages/job/lineage";

export function SourceLinks({ sources }: Pick<JobLineage, "sources">) {
  return sources.map(({ name, open }, index) => (
    <span key={name}>
      {index === 0 ? "" : ", "}
      {open === null ? `${name}, which is not open` : <Link href={jobHref(open.key)}>{open.name}</Link>}
    </span>
  ));
}
