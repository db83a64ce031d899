import { artifactHref } from "@/lib/addresses/trial";
import { ShowAll } from "@/components/ui/show-all";
import type { TrialPage } from "@/lib/queries/trial/page";

/** The way to all of a trial's file where the page shows a part of it; nothing where it shows all, or there is no file. */
export function ShowAllOf({ page, file }: { page: TrialPage; file: string | null }) {
  if (file === null || !page.cutFiles.includes(file)) return null;
  return <ShowAll href={artifactHref(page.entry.job.key, page.trial.key, file)} file={file} />;
}
