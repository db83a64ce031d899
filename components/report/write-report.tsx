import type { ReactElement } from "react";

import { type Report, writeReportDocument } from "@/lib/output/report";

import { ReportPage } from "./report-page";

const END = "</main></body></html>";

/** `render` is React's own: Next refuses its import here. */
export function writeReport(report: Report, render: (element: ReactElement) => string): string {
  const page = render(<ReportPage report={report} />);
  if (!page.endsWith(END)) throw new Error("The page of a report does not end as it should.");
  return `<!doctype html>\n${page.slice(0, -END.length)}</main>\n${writeReportDocument(report.document)}\n</body></html>\n`;
}
