/** A comparison as a report: what it shows, what it holds to be computed again, and whether it still holds. This file is the only entrance. */
export { compareReports } from "./compare-reports";
export { readReportDocument, type ReportDocument, writeReportDocument } from "./document";
export { prepareReport, type Report, type ReportInput, type ReportJob } from "./prepare-report";
