import type { Metadata } from "next";

import { ImportForm } from "@/components/annotations/import-form";
import { TagImports } from "@/components/annotations/tag-imports";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";
import { getTagImports } from "@/lib/pages/annotations/import";

export const metadata: Metadata = { title: "Import judgments and tags" };

const TAG_EXAMPLE = `{"trial": "task-1__aB3dE7x", "job": "nightly", "category": "gave up early", "source": "my-judge",
 "description": "Stopped after one try.", "evidence": ["I cannot do this."]}`;

export default async function ImportRoute() {
  return (
    <PageFrame crumbs={[{ label: "Annotations", href: "/annotations" }, { label: "Import" }]}>
      <PageTitle
        title="Import judgments and tags"
        summary="Files that Assay exported, and tags of other judges and tools."
      />
      <div className="import-page">
        <p className="caption">
          Files hold judgments, decisions and what is said of failures, not queues. Judgments of a queue that
          is not here count as any other, but in no corrected score: how their trials were drawn stays with
          the queue.
        </p>
        <details className="caption">
          <summary>Format of tags of other tools</summary>
          <p>One JSON object a line:</p>
          <pre>{TAG_EXAMPLE}</pre>
          <p>
            The trial is its name or id; its job is needed where several have a trial of that name.
            Description and evidence may be left out; evidence is a list of quotes, and of places as exported
            judgments have them. Tags stay suggestions of their tool until reviewers answer them.
          </p>
        </details>
        <ForAction action="applyImport" subject="Importing">
          <ImportForm />
        </ForAction>
        <TagImports imports={await getTagImports()} />
      </div>
    </PageFrame>
  );
}
