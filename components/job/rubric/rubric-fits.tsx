import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { type Column, Table } from "@/components/ui/table";
import { formatCount } from "@/lib/core/format/number";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { FitCount, RubricBench, RubricPanel } from "@/lib/pages/job/rubric";

import { CountCell } from "../groups/group-cells";
import { FIT_WORDS } from "./rubric-words";

export function RubricFits({
  panel,
  bench,
  params,
  jobKey,
}: {
  panel: RubricPanel;
  bench: RubricBench;
  params: JobParams;
  jobKey: string;
}) {
  const hasFamilies = panel.families.length > 1;
  const columns: readonly Column[] = [
    { id: "fit", label: "The stored reward" },
    { id: "family", label: hasFamilies ? bench.family.name : "Trials", numeric: true },
    ...(hasFamilies ? [{ id: "job", label: "Whole job", numeric: true }] : []),
  ];
  const count = (counts: readonly FitCount[], fit: FitCount["fit"]) =>
    counts.find((one) => one.fit === fit)?.count ?? 0;
  return (
    <Section title="Does the reward follow from its dimensions?" note={describe(panel)}>
      <Table
        caption="Whether rewards follow from their dimensions"
        columns={columns}
        className="rubric-fits"
        compact
      >
        <tbody>
          {panel.fits.map(({ fit, count: inJob }) => {
            const inFamily = count(bench.fits, fit);
            const isOn = params.fits.includes(fit);
            const href = jobPageHref(jobKey, params, { fits: isOn ? [] : [fit] });
            return (
              <tr key={fit} className={isOn ? "selected" : undefined}>
                <td>
                  {inFamily === 0 ? (
                    <span className="muted">{FIT_WORDS[fit]}</span>
                  ) : (
                    <Link href={href} mode="stay" data-row-link="">
                      {FIT_WORDS[fit]}
                    </Link>
                  )}
                </td>
                <CountCell count={inFamily} href={href} />
                {hasFamilies ? <td className="numeric">{formatCount(inJob)}</td> : null}
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="caption table-note">
        A reward that does not follow may still be right: its verifier may use weights that the details do not
        give.
      </p>
      <Methods>
        <p>
          Every trial is checked against the weighted mean and the minimum of its own dimensions, with the
          weights in its details if all have one, otherwise with equal weights. To four decimals; a stored
          reward with two decimals may be rounded.
        </p>
      </Methods>
    </Section>
  );
}

function describe({ fits }: RubricPanel): string {
  const nOther = fits.find(({ fit }) => fit === "other")?.count ?? 0;
  const nChecked = fits.reduce((sum, { fit, count }) => (fit.startsWith("no_") ? sum : sum + count), 0);
  return `${formatCount(nOther)} of ${formatCount(nChecked)} checked do not`;
}
