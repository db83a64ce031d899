import { Download } from "lucide-react";
import type { Route } from "next";

import { withBasePath } from "@/lib/core/domain/base-path";
import { EXPORT_FORMATS, type ExportFormat } from "@/lib/core/domain/export-format";

import "./download-menu.css";

const FORMATS: Readonly<Record<ExportFormat, { readonly name: string; readonly use: string }>> = {
  csv: { name: "CSV", use: "for spreadsheets" },
  json: { name: "JSON", use: "every field" },
  parquet: { name: "Parquet", use: "typed columns" },
};

export function DownloadMenu({
  what,
  hrefOf,
  evaluationsHref,
}: {
  what: string;
  hrefOf: (format: ExportFormat) => Route;
  evaluationsHref?: Route;
}) {
  return (
    <details className="facet facet-end download-menu" data-menu="">
      <summary aria-label={`Download ${what}`} title={`Download ${what}`}>
        <Download size={14} aria-hidden />
        Download
      </summary>
      <div className="facet-panel">
        <DownloadLinks hrefOf={hrefOf} />
        {evaluationsHref === undefined ? null : (
          <ul>
            <li>
              <a className="facet-option" href={withBasePath(evaluationsHref)} download>
                Evaluations <span className="muted">JSON Lines</span>
              </a>
            </li>
          </ul>
        )}
      </div>
    </details>
  );
}

export function DownloadLinks({ hrefOf }: { hrefOf: (format: ExportFormat) => Route }) {
  return (
    <ul>
      {EXPORT_FORMATS.map((format) => (
        <li key={format}>
          <a className="facet-option" href={withBasePath(hrefOf(format))} download>
            {FORMATS[format].name} <span className="muted">{FORMATS[format].use}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
