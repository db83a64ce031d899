import type { Metadata } from "next";

import { ScannersTable, ScannerTroubles } from "@/components/errors/scanners-table";
import { PageFrame } from "@/components/shell/page-frame";
import { FAILURES } from "@/components/shell/places";
import { FailuresAnswer, FailuresHead } from "@/components/triage/failures-head";
import { Methods } from "@/components/ui/methods";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { scannersAddress } from "@/lib/pages/errors/address";
import {
  getScannersPage,
  MOST_STOPPED,
  OTHER_OUTCOMES,
  type ScannersPage,
} from "@/lib/pages/errors/scanners";

import "@/components/errors/errors.css";

export const metadata: Metadata = { title: "Failures: scanners" };

export default async function ScannersRoute({ searchParams }: PageProps<"/errors/scanners">) {
  const search = await searchParams;
  const { open } = scannersAddress.read(search);
  const page = await getScannersPage();
  return (
    <PageFrame crumbs={[FAILURES, { label: "Scanners" }]} unknown={scannersAddress.listUnknown(search)}>
      <FailuresHead tab="scanners" params={{}} />
      <FailuresAnswer answer={describeHits(page)}>{describePage(page)}</FailuresAnswer>
      <ScannersTable page={page} open={open} others={OTHER_OUTCOMES} />
      <Methods>
        <p>
          A scanner finds places by regular expressions and changes no outcome or figure. Step scanners count
          trials with a trajectory; file scanners count all trials that can be opened.
        </p>
        <p>
          Your own are files <code>*.toml</code> in the folder <code>scanners</code> of Assay’s data folder;{" "}
          <code>assay scan --help</code> has an example. New and changed scanners run automatically.
        </p>
      </Methods>
      <ScannerTroubles page={page} most={MOST_STOPPED} />
    </PageFrame>
  );
}

function describeHits({ rows }: ScannersPage): string {
  const hits = rows.filter(({ nFound }) => nFound > 0);
  const nHits = hits.reduce((sum, { nFound }) => sum + nFound, 0);
  return `${formatPlural(hits.length, "scanner has", "scanners have")} ${formatPlural(nHits, "hit")}`;
}

function describePage({ nTrials, nWithSteps, nFilesOnly, nUnopened, nToScan }: ScannersPage): string {
  const nScanned = nWithSteps + nFilesOnly;
  const parts = [
    `${formatCount(nScanned)} of ${formatPlural(nTrials, "trial")} scanned`,
    nFilesOnly === 0 ? "" : `, ${formatCount(nFilesOnly)} of them without a trajectory`,
    ".",
    nToScan === 0 ? "" : ` ${formatPlural(nToScan, "trial is", "trials are")} not scanned yet.`,
    nUnopened === 0 ? "" : ` ${formatPlural(nUnopened, "trial", "trials")} could not be opened.`,
  ];
  return parts.join("");
}
