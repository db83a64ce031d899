import { trialPageHref, type TrialTab } from "@/lib/addresses/trial";
import { SoftLink } from "@/components/ui/soft-link";
import { MISSING } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { TrialPage } from "@/lib/queries/trial/page";

import { FactList } from "./trial-facts";

type Ledger = NonNullable<TrialPage["ledger"]>;

/** What a ledger's record states beyond what every trial has, and the files that it names. Unknown values are dashes. */
export function LedgerFacts({
  ledger: { record, named },
  jobKey,
  trialKey,
  tab,
}: {
  ledger: Ledger;
  jobKey: string;
  trialKey: string;
  tab: TrialTab;
}) {
  if (record === null) return null;
  const { facts } = record;
  const seconds = (value: number | null) => (value === null ? null : formatDuration(value * 1000));
  return (
    <>
      <FactList title="Record" facts={[["Version", String(facts.version)], ...listStated(facts)]} />
      <FactList
        title="Durations as stated"
        facts={[
          ["Total", seconds(facts.timing.total)],
          ["Set-up", seconds(facts.timing.setup)],
          ["Agent", seconds(facts.timing.agent)],
          ["Verification", seconds(facts.timing.verification)],
        ]}
      />
      <section aria-label="Files that the record names">
        <h3>Files that the record names</h3>
        {named.length === 0 ? (
          <p className="muted">{MISSING}</p>
        ) : (
          <dl>
            {named.map(({ name, path, file, problem }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className={problem === null ? "" : "muted"} title={path}>
                  {file === null ? (
                    `${path}. ${problem ?? ""}`
                  ) : (
                    <SoftLink href={trialPageHref(jobKey, trialKey, { tab, file })} way="stay">
                      {file}
                    </SoftLink>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </section>
    </>
  );
}

type Facts = NonNullable<Ledger["record"]>["facts"];

/** What records of this version state. */
function listStated(facts: Facts): (readonly [string, string | null])[] {
  const output = ["Output", facts.outputStatus] as const;
  if (facts.version === 1) return [output, ["Completeness", facts.completeness]];
  return [
    ["Run", facts.runId],
    ["Execution", facts.executionStatus],
    ["Evaluation", facts.evaluationStatus],
    ["Evidence", facts.evidenceStatus],
    output,
    ["Visibility", facts.visibility],
  ];
}
