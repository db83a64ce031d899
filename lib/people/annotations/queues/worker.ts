import type { Actor } from "../owner";

export interface QueueWorker {
  readonly queueId: string;
  readonly reviewerId: string;
  readonly actor?: Actor;
}

export const NO_QUEUE = "There is no such queue.";
