import type { CheckTask, ReadOutcome } from "./reader";
import type { FindingsTask } from "./read-findings";
import type { SourceTask } from "./read-source";

/** Where the work is done: in this process, or in processes of their own. */
export interface Executor {
  readonly isUnchanged: (task: CheckTask) => Promise<boolean>;
  /** @throws StoreError when the store cannot be written; any other error is a fault of the program */
  readonly read: (task: SourceTask, onTrials: (n: number) => void) => Promise<ReadOutcome>;
  /** @throws StoreError when the store cannot be read or written; any other error is a fault of the program */
  readonly readFindings: (task: FindingsTask, onTrials: (n: number) => void) => Promise<void>;
  readonly close: () => Promise<void>;
}
