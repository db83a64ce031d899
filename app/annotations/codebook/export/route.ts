import { serveFile } from "@/lib/pages/shell/download";
import { formatCodebookFile, getAnnotationStore, readCodebook } from "@/lib/people/annotations";

export const dynamic = "force-dynamic";

/** The codebook as a file, schema `assay.codebook/1`. */
export const GET = () =>
  serveFile(async () => {
    const { codebook } = await readCodebook(getAnnotationStore());
    return {
      name: `codebook-${codebook.version}.json`,
      contentType: "application/json; charset=utf-8",
      pieces: formatCodebookFile(codebook),
    };
  });
