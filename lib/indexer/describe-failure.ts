import type { LoadIssue } from "@/lib/domain/load-issue";
import { type LoadRoot, prepareIssue } from "@/lib/loader";

/** Says that a folder could not be read for a reason that lies in Assay, and which one. @param folder - relative to the root */
export function describeFailure(root: LoadRoot, folder: string, error: unknown): LoadIssue {
  const reason = error instanceof Error ? error.message : String(error);
  const detail = `Reading this folder failed (${reason}). This is a bug in Assay: please report it with this message.`;
  return prepareIssue(root, "reading_failed", folder, detail);
}
