/** Reports of comparisons: writing, recomputing and checking them. Import from this file only. */
export { compareReports } from "./compare-reports";
export { readReportDocument, type ReportDocument, writeReportDocument } from "./document";
export { prepareReport, type Report, type ReportInput, type ReportJob } from "./prepare-report";
