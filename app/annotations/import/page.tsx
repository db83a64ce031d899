import type { Metadata } from "next";

import { ImportForm } from "@/components/annotations/import-form";
import { TagImports } from "@/components/annotations/tag-imports";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";
import { getTagImports } from "@/lib/queries/annotations/import";

export const metadata: Metadata = { title: "Import judgments and tags" };

const TAG_EXAMPLE =
  '{"trial": "task-1__aB3dE7x", "job": "nightly", "category": "gave up early", "description": "Stopped after one try.", "source": "my-judge", "evidence": ["I cannot do this."]}';

export default async function ImportRoute() {
  return (
    <PageFrame crumbs={[{ label: "Annotations", href: "/annotations" }, { label: "Import" }]}>
      <PageTitle
        title="Import judgments and tags"
        summary="Files that Assay exported, and tags of other judges and tools."
      />
      <p className="caption">
        Files hold judgments and decisions, not queues. Judgments of a queue that is not here count as any
        other, but in no corrected score: how their trials were drawn stays with the queue.
      </p>
      <p className="caption">
        A tag of another tool is a line of JSON such as <code>{TAG_EXAMPLE}</code>. The trial is named by name
        or id, its job where several have one of that name. Description and evidence may be left out. Tags
        stay suggestions of their tool until reviewers answer them.
      </p>
      <ImportForm />
      <TagImports imports={await getTagImports()} />
    </PageFrame>
  );
}
