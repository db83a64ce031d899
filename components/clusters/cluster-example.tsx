import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { Preformatted } from "@/components/ui/preformatted";
import { formatCount } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";
import type { ClusterPage } from "@/lib/pages/clusters/page";
import { logLink, trialPageHref, type TrialParams } from "@/lib/pages/trial/address";

import { describeKind, nameSlots } from "./cluster-words";

type Signal = NonNullable<ClusterPage["example"]["signal"]>;

export function ClusterExample({ page }: { page: ClusterPage }) {
  const { example, cluster, pattern } = page;
  const { signal } = example;
  const names = nameSlots(pattern.filter((_, at) => at % 2 === 1));
  return (
    <Section
      title="Typical example"
      note={
        <>
          <Link href={trialPageHref(example.jobKey, example.key, signal === null ? {} : linkTo(signal))}>
            {formatTask(example)}, attempt {example.attempt}
          </Link>{" "}
          in {example.jobName}
        </>
      }
    >
      {signal === null ? (
        <p className="muted">Its files show no reason.</p>
      ) : (
        <>
          <p className="caption">
            {describeKind(cluster)}: {describePlace(signal)}
          </p>
          <Preformatted className="cluster-text">{signal.text}</Preformatted>
        </>
      )}
      <p className="cluster-pattern">
        <span className="muted">Pattern</span>{" "}
        <code>
          {pattern.map((part, at) =>
            at % 2 === 0 ? (
              part
            ) : (
              <span key={at} className="cluster-slot">
                {names[(at - 1) / 2]}
              </span>
            ),
          )}
        </code>
      </p>
    </Section>
  );
}

function linkTo({ kind, place: { file, line, step } }: Signal): Partial<TrialParams> {
  if (step !== null) return { tab: "trajectory", step };
  if (kind === "failed-test") return { tab: "tests" };
  return line === null ? { tab: "files", file } : logLink({ file, line });
}

function describePlace({ place: { file, line, step } }: Signal): string {
  if (step !== null) return `${file}, step ${step}`;
  return line === null ? file : `${file}, line ${formatCount(line)}`;
}
