import { serveFile } from "@/lib/pages/shell/download";
import { getVerifierCsv } from "@/lib/pages/verifier/page";

export const dynamic = "force-dynamic";

/** The tables of the verifier's page as CSV, for the same URL parameters. */
export const GET = ({ url }: Request) =>
  serveFile(async () => ({
    name: "verifier.csv",
    contentType: "text/csv; charset=utf-8",
    pieces: await getVerifierCsv(url),
  }));
