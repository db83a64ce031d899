import { getCurvesCsv } from "@/lib/pages/compare/files";
import { serveFile } from "@/lib/pages/shell/download";

export const GET = ({ url }: Request) =>
  serveFile(async () => ({
    name: "pass-at-k.csv",
    contentType: "text/csv; charset=utf-8",
    pieces: await getCurvesCsv(url),
  }));
