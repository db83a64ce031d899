import type { JobKind } from "@/lib/domain/job";

import { stampJobFiles } from "./discover/job-files";
import { stampLedgerFiles } from "./ledger/find-feedback";
import type { LoadRoot } from "./discover/load-root";

/** A text that changes whenever a file may have changed that belongs to a job and to none of its trials alone. */
export function stampSharedFiles(root: LoadRoot, kind: JobKind, folder: string): string {
  switch (kind) {
    case "harbor":
      return stampJobFiles(root, folder);
    case "ledger":
      return stampLedgerFiles(root, folder);
    case "loose":
      return "";
  }
}
