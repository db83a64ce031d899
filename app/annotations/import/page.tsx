import type { Metadata } from "next";

import { ImportForm } from "@/components/annotations/import-form";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";

export const metadata: Metadata = { title: "Import judgments" };

export default function ImportRoute() {
  return (
    <PageFrame crumbs={[{ label: "Annotations", href: "/annotations" }, { label: "Import" }]}>
      <PageTitle title="Import judgments" summary="Judgments and decisions from files that Assay exported." />
      <p className="caption">
        Files hold judgments and decisions, not queues. Judgments of a queue that is not here count as any
        other, but in no corrected score: how their trials were drawn stays with the queue.
      </p>
      <ImportForm />
    </PageFrame>
  );
}
