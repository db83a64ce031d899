import { CurvesFile, writeColours } from "@/components/charts/curves-file";
import { getCurvesFile } from "@/lib/pages/compare/files";
import { serveFile } from "@/lib/pages/shell/download";

export const GET = ({ url }: Request) =>
  serveFile(async () => {
    const file = await getCurvesFile(url);
    // Next refuses this import at the top of the file.
    const { renderToStaticMarkup } = await import("react-dom/server");
    return {
      name: "pass-at-k.svg",
      contentType: "image/svg+xml; charset=utf-8",
      pieces: writeColours(renderToStaticMarkup(<CurvesFile {...file} />)),
      policy: "default-src 'none'; style-src 'unsafe-inline'",
    };
  });
