import { Link } from "@/components/ui/link";
import { formatCount } from "@/lib/core/format/number";
import { SUSPECT_WORDS, NONDETERMINISTIC_WORDS } from "@/lib/core/format/words";
import { partHref } from "@/lib/pages/address/part";
import type { JobPage } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

export function JobDoubts({ page: { doubts, job } }: { page: JobPage }) {
  const { key } = job;
  const parts = [
    {
      n: doubts?.nSuspects ?? 0,
      words: SUSPECT_WORDS.full,
      href: trialsPageHref(key, { verifier: ["suspect"] }),
    },
    { n: doubts?.nNondeterministic ?? 0, words: NONDETERMINISTIC_WORDS, href: partHref(key, "determinism") },
  ].filter(({ n }) => n > 0);
  return parts.map(({ n, words, href }) => (
    <span key={words} className="job-doubt">
      {" "}
      <Link href={href}>
        {formatCount(n)} {n === 1 ? "trial" : "trials"}: {words}
      </Link>
      .
    </span>
  ));
}
