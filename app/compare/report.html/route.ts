import { writeReport } from "@/components/report/write-report";
import { getReport } from "@/lib/pages/compare/files";
import { serveFile } from "@/lib/pages/shell/download";

export const GET = ({ url }: Request) =>
  serveFile(async () => {
    const report = await getReport(url);
    // Next refuses this import at the top of the file.
    const { renderToStaticMarkup } = await import("react-dom/server");
    return {
      name: "report.html",
      contentType: "text/html; charset=utf-8",
      pieces: writeReport(report, renderToStaticMarkup),
      policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    };
  });
