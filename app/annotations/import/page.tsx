import type { Metadata } from "next";

import { ImportForm, TagImports } from "@/components/annotations/imports";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { REVIEW } from "@/components/shell/places";
import { PageTitle } from "@/components/ui/page-title";
import { getTagImports } from "@/lib/pages/annotations/import";

export const metadata: Metadata = { title: "Import judgments and tags" };

const TAG_EXAMPLE = `{"trial": "task-1__aB3dE7x", "job": "nightly", "category": "gave up early", "source": "my-judge",
 "description": "Stopped after one try.", "evidence": ["I cannot do this."]}`;

export default async function ImportRoute() {
  return (
    <PageFrame crumbs={[REVIEW, { label: "Import" }]}>
      <PageTitle
        title="Import judgments and tags"
        summary="Assay exports, and tags of other judges and tools."
      />
      <div className="import-page">
        <p className="caption">
          Files hold judgments, decisions, names and dismissals, but no queues. Judgments of a missing queue
          count, but correct no score.
        </p>
        <details className="caption">
          <summary>Format of tags of other tools</summary>
          <p>One JSON object per line:</p>
          <pre>{TAG_EXAMPLE}</pre>
          <p>
            The trial is a name or id. The job is required if several jobs have a trial of that name.
            Description and evidence are optional; evidence lists quotes, and places as in exported judgments.
            Tags are suggestions until reviewers answer them.
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
