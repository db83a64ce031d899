import { Download } from "lucide-react";

import { withBasePath } from "@/lib/core/domain/base-path";
import { exportHref, type ExportParams } from "@/lib/pages/annotations/export-address";

import "@/components/jobs/download-menu.css";

const ENTRIES: readonly {
  readonly name: string;
  readonly use: string;
  readonly params: Partial<ExportParams>;
}[] = [
  { name: "JSON Lines", use: "what counts", params: {} },
  { name: "JSON Lines with history", use: "every version", params: { history: true } },
  { name: "CSV", use: "for spreadsheets", params: { format: "csv" } },
  { name: "Parquet", use: "typed columns", params: { format: "parquet" } },
  { name: "Langfuse scores", use: "trials with an id", params: { format: "langfuse" } },
  { name: "Label Studio tasks", use: "trials to label", params: { format: "label-studio" } },
  { name: "Label Studio configuration", use: "the codebook", params: { format: "label-studio-config" } },
];

export function ExportMenu({ queue = null }: { queue?: string | null }) {
  return (
    <details className="facet facet-end download-menu" data-menu="">
      <summary>
        <Download size={14} aria-hidden />
        Export
      </summary>
      <div className="facet-panel">
        <ul>
          {ENTRIES.map(({ name, use, params }) => (
            <li key={name}>
              <a className="facet-option" href={withBasePath(exportHref({ ...params, queue }))} download>
                {name} <span className="muted">{use}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
