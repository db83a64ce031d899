import { getCurvesCsv } from "@/lib/queries/compare/files";
import { serveFile } from "@/lib/queries/shell/download";

export const GET = ({ url }: Request) =>
  serveFile(async () => ({
    name: "pass-at-k.csv",
    contentType: "text/csv; charset=utf-8",
    pieces: await getCurvesCsv(url),
  }));
