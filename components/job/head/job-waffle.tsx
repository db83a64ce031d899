import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { WORST_FIRST } from "@/lib/core/domain/trial";
import { formatCount } from "@/lib/core/format/number";
import { OUTCOME_WORDS } from "@/lib/core/format/words";
import { jobPageHref } from "@/lib/pages/job/address";
import type { JobOverview } from "@/lib/pages/job/overview";
import type { JobPage } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { Waffle } from "./waffle";

export function JobWaffle({ page: { job }, overview }: { page: JobPage; overview: JobOverview }) {
  const { tasks, never, sometimes, always } = overview;
  if (tasks.length === 0) return null;
  const nShown = tasks.reduce((sum, { marks }) => sum + marks.length, 0);
  const shown = WORST_FIRST.map((outcome) => ({
    outcome,
    n: job.groups.reduce((sum, { counts }) => sum + counts[outcome], 0),
  })).filter(({ n }) => n > 0);
  return (
    <section className="section" aria-label="Every trial">
      <Waffle
        jobKey={job.key}
        tasks={tasks}
        groups={
          job.groups.length < 2
            ? []
            : job.groups.map(({ group }) => `${group.agent} ${group.model ?? ""}`.trim())
        }
        parts={[
          { patterns: ["never"], words: "tasks never passed", n: never },
          { patterns: ["flaky", "split"], words: "sometimes", n: sometimes },
          { patterns: ["always"], words: "always passed", n: always },
          { patterns: [null], words: "without a verdict", n: job.nTasks - never - sometimes - always },
        ]}
      >
        <div className="flow section-actions">
          {shown.map(({ outcome, n }) => (
            <Link
              key={outcome}
              className="quiet waffle-key"
              href={trialsPageHref(job.key, { outcomes: [outcome] })}
            >
              <span className="waffle-column" aria-hidden>
                <i className={`outcome-${outcome}`} />
              </span>
              <b>{formatCount(n)}</b> {OUTCOME_WORDS[outcome]}
            </Link>
          ))}
          <Link href={jobPageHref(job.key, { tab: "tasks" })}>Table</Link>
        </div>
      </Waffle>
      <CutNote shown={nShown} total={job.nTrials}>
        Tasks that fail most are drawn first.
      </CutNote>
    </section>
  );
}
