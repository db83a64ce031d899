import { BesideFilesPanel } from "@/components/beside/beside-files";
import { BesideStepsPanel } from "@/components/beside/beside-steps";
import { BesideDimensionsPanel, BesideTestsPanel } from "@/components/beside/beside-tests";
import type { BesideParams } from "@/lib/pages/beside/address";
import { type BesidePage, getBesideFiles } from "@/lib/pages/beside/page";

export async function drawTab(page: BesidePage, params: BesideParams) {
  switch (params.tab) {
    case "trajectory":
      return <BesideStepsPanel page={page} params={params} />;
    case "tests":
      return <BesideTestsPanel page={page} params={params} />;
    case "dimensions":
      return <BesideDimensionsPanel page={page} />;
    case "files":
      return (
        <BesideFilesPanel page={page} params={params} files={await getBesideFiles(page, params.file)} />
      );
  }
}
