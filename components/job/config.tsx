import { LoadReport } from "@/components/load-report/load-report";
import { toText } from "@/components/trial/trajectory/text-lines";
import { CopyButton } from "@/components/ui/copy-button";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { Preformatted } from "@/components/ui/preformatted";
import { TimeText } from "@/components/ui/time-text";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import { formatBytes, formatCount } from "@/lib/core/format/number";
import { describePlan } from "@/lib/core/format/words";
import { PARTS, jobPageHref, type ConfigParams } from "@/lib/pages/job/address";
import type { ConfigPanel } from "@/lib/pages/job/config";
import type { JobPage } from "@/lib/pages/job/page";
import { loadReportHref } from "@/lib/pages/load-report/address";

import "./job-page.css";

interface ConfigProps {
  readonly page: JobPage;
  readonly panel: ConfigPanel;
  readonly params: ConfigParams;
}

export function JobConfig({ page, panel, params }: ConfigProps) {
  const { part, nMatching } = panel.issues;
  return (
    <>
      <JobFacts page={page} rootLabel={panel.rootLabel} />
      <JobConfigFile panel={panel} />
      <Section
        title="Load issues"
        id={PARTS.issues}
        note={part.total === 0 ? undefined : "What could not be read or looks unusual"}
      >
        {part.total === 0 ? (
          <p className="muted">None: all files of this job were read.</p>
        ) : (
          <>
            <CutNote shown={part.total} total={nMatching}>
              The <Link href={loadReportHref({ text: page.job.folder })}>load report</Link> finds the others.
            </CutNote>
            <LoadReport
              shown={panel.issues}
              hrefOf={(partFrom) => jobPageHref(page.job.key, params, { partFrom })}
            />
          </>
        )}
      </Section>
    </>
  );
}

function JobFacts({ page, rootLabel }: { page: JobPage; rootLabel: string }) {
  const job = page.job;
  const facts: readonly (readonly [string, string | ClockTime | null])[] = [
    ["Name", job.name],
    ["Job id", job.uuid],
    ["Folder", page.place],
    ["Source", rootLabel],
    ["State", job.state],
    ["Started", job.time.startedAt],
    ["Last written", job.updatedAt],
    ["Finished", job.time.finishedAt],
    ["Harbor version", job.harborVersion],
    ["Attempts per task", job.nAttempts === null ? null : formatCount(job.nAttempts)],
    ["Metrics", describeMetrics(job)],
    ["Planned trials", job.planned === null ? null : describePlan(job.planned)],
  ];
  return (
    <Section title="Job">
      <dl className="job-facts">
        {facts.map(([name, value]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt className="muted">{name}</dt>
            <dd className={value === null ? "muted" : undefined}>
              {typeof value === "string" ? value : <TimeText time={value} precision="second" />}
              {COPIED.has(name) && typeof value === "string" ? (
                <CopyButton text={value} label={`Copy ${name.toLowerCase()}`} />
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const COPIED: ReadonlySet<string> = new Set(["Name", "Job id", "Folder"]);

function JobConfigFile({ panel: { config } }: { panel: ConfigPanel }) {
  if (config === null) return null;
  if (config.kind === "problem" || config.content.kind !== "text")
    return (
      <Section title="config.json">
        <p className="muted">{config.kind === "problem" ? config.issue.detail : "It is not text."}</p>
      </Section>
    );
  const { lines, goesOn, toByte } = config.content.text;
  const inside = new Set([0, ...goesOn]);
  const text = lines.map((line, row) => (inside.has(row) ? "" : "\n") + toText(line)).join("");
  return (
    <Section title="config.json" actions={<CopyButton text={text} label="Copy config.json" />}>
      <Preformatted className="panel job-code" tabIndex={0} role="region" aria-label="Text of config.json">
        {text}
      </Preformatted>
      {toByte >= config.sizeBytes ? null : (
        <p className="caption table-note">
          The first {formatBytes(toByte)} of {formatBytes(config.sizeBytes)}.
        </p>
      )}
    </Section>
  );
}

function describeMetrics({ metricTypes, mayBringMetrics }: JobPage["job"]): string {
  if (metricTypes.length > 0) return metricTypes.join(", ");
  return mayBringMetrics ? "the dataset's, otherwise mean" : "mean, the default";
}
