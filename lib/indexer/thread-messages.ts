import type { DatabaseTarget } from "@/lib/database";

import type { LoadRoot } from "@/lib/loader";
import type { Summation } from "@/lib/scoring";

import type { IndexStatus } from "./progress";
import type { CheckTask, ReadOutcome } from "./reader";
import type { FindingsTask } from "./read-findings";
import type { SourceTask } from "./read-source";

/** What a reading thread is started with. */
export interface ReaderData {
  readonly role: "reader";
  readonly target: DatabaseTarget;
}

/** Work for a reading thread. */
export type ReaderRequest =
  | { readonly kind: "check"; readonly task: CheckTask }
  | { readonly kind: "read"; readonly task: SourceTask }
  | { readonly kind: "findings"; readonly task: FindingsTask };

/** What a reading thread says: any number of `trials`, then one of the others. Errors lose their class on the way. */
export type ReaderReply =
  | { readonly kind: "trials"; readonly n: number }
  | { readonly kind: "checked"; readonly isUnchanged: boolean }
  | { readonly kind: "read"; readonly outcome: ReadOutcome }
  | { readonly kind: "found" }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly code: string | null;
      readonly stack: string | null;
    };

/** What the thread that keeps an index up to date is started with. */
export interface CoordinatorData {
  readonly role: "coordinator";
  readonly target: DatabaseTarget;
  readonly roots: readonly LoadRoot[];
  readonly summation: Summation;
  /** The file that threads run, for the reading ones. */
  readonly script: string;
  readonly nThreads: number;
  /** Whether the first look at the folders waits until it is ordered, since what is known can be shown meanwhile. */
  readonly isPatient: boolean;
  readonly withFindings: boolean;
}

/**
 * Orders to that thread. `look`: somebody looks at a page, so what it shows should be current; `refresh`: look at
 * everything again now, at folders whose reading failed too; `forget-findings`: have them
 * all read again; `settle`: say when findings are read too; `prioritise`: a
 * page waits for this job's findings; `close`: end.
 */
export type CoordinatorRequest =
  | { readonly kind: "look"; readonly id: number }
  | { readonly kind: "refresh"; readonly id: number }
  | { readonly kind: "forget-findings"; readonly id: number }
  | { readonly kind: "settle"; readonly id: number }
  | { readonly kind: "prioritise"; readonly id: number; readonly jobId: number }
  | { readonly kind: "close"; readonly id: number };

/** What it says: its status whenever that changes, and that an order was carried out. */
export type CoordinatorReply =
  | { readonly kind: "status"; readonly status: IndexStatus }
  | { readonly kind: "done"; readonly id: number };
