import { CurvesFile, writeColours } from "@/components/charts/curves-file";
import { getCurvesFile } from "@/lib/queries/compare/files";
import { serveFile } from "@/lib/queries/shell/download";

/** The curves of the address as one drawing with its caption, in the colours of paper. */
export const GET = ({ url }: Request) =>
  serveFile(async () => {
    const file = await getCurvesFile(url);
    // Next refuses this import where it stands with the others.
    const { renderToStaticMarkup } = await import("react-dom/server");
    return {
      name: "pass-at-k.svg",
      contentType: "image/svg+xml; charset=utf-8",
      pieces: writeColours(renderToStaticMarkup(<CurvesFile {...file} />)),
      policy: "default-src 'none'; style-src 'unsafe-inline'",
    };
  });
