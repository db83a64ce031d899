import { Download } from "lucide-react";
import type { Route } from "next";

import { Menu } from "@/components/ui/menu";
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
    <Menu className="download-menu" icon={Download} name={`Download ${what}`}>
      <DownloadLinks
        links={[
          ...listFormats(hrefOf),
          ...(evaluationsHref === undefined
            ? []
            : [{ name: "Evaluations", use: "JSON Lines", href: evaluationsHref }]),
        ]}
      />
    </Menu>
  );
}

interface DownloadLink {
  readonly name: string;
  readonly use: string;
  readonly href: Route;
}

export function listFormats(hrefOf: (format: ExportFormat) => Route): readonly DownloadLink[] {
  return EXPORT_FORMATS.map((format) => ({ ...FORMATS[format], href: hrefOf(format) }));
}

export function DownloadLinks({ links }: { links: readonly DownloadLink[] }) {
  return (
    <ul>
      {links.map(({ name, use, href }) => (
        <li key={name}>
          <a className="facet-option" href={withBasePath(href)} download>
            {name} <span className="muted">{use}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
