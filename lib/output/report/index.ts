/** Reports of comparisons: writing, recomputing and checking them. Import from this file only. */
export { type ReportDocument, compareReports, readReportDocument, writeReportDocument } from "./document";
export { prepareReport, type Report, type ReportInput, type ReportJob } from "./prepare-report";
