import type { DatabaseTarget } from "@/lib/database";

import type { LoadRoot } from "@/lib/loader";
import type { SetAsideFile } from "@/lib/loader/large-files";
import type { Summation } from "@/lib/scoring";

import type { IndexStatus } from "./progress";

/** What the process that keeps an index up to date is started with. */
export interface CoordinatorData {
  readonly target: DatabaseTarget;
  readonly roots: readonly LoadRoot[];
  readonly summation: Summation;
  /** The program that reading processes run. */
  readonly script: string;
  readonly nProcesses: number;
  /** Whether the first look at the folders waits until it is ordered, since what is known can be shown meanwhile. */
  readonly isPatient: boolean;
  readonly withFindings: boolean;
  /** Names the program that all this is for, see `IndexerOptions`. */
  readonly holder: string;
}

/** What it is asked to do. */
export type CoordinatorOrder =
  /** Somebody looks at a page, so what it shows should be current. */
  | { readonly kind: "look" }
  /** Look at everything again now, at folders whose reading failed too. */
  | { readonly kind: "refresh" }
  /** Have all findings read again. */
  | { readonly kind: "forget-findings" }
  /** Say when findings are read too. */
  | { readonly kind: "settle" }
  /** A page waits for this job's findings. */
  | { readonly kind: "prioritise"; readonly jobId: number }
  /** Give everything back. */
  | { readonly kind: "close" };

/** What it is sent: how to begin, once, then orders. */
export type CoordinatorRequest =
  | { readonly kind: "start"; readonly data: CoordinatorData; readonly setAside: readonly SetAsideFile[] }
  | (CoordinatorOrder & { readonly id: number });

/** What it says: its status whenever that changes, and that an order was carried out. */
export type CoordinatorReply =
  | { readonly kind: "status"; readonly status: IndexStatus }
  | { readonly kind: "done"; readonly id: number };
