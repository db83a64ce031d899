export interface PoolRequest<Request> {
  readonly request: Request;
  /** Whether it needs much memory from the start. */
  readonly isLarge?: boolean;
  /** Requests of one name run one after the other, preferably in one process; after a timeout they fail for a while. */
  readonly affinity?: string | undefined;
  /** Takes the number of things done since the last call. */
  readonly onProgress?: ((n: number) => void) | undefined;
}

/** A process ended without an answer, and nobody knows at which file. */
export class ProcessEndedError extends Error {}

/** An error that a process met; `code` is the one of its class where it had one. */
export class RemoteError extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null, stack: string | null) {
    super(message);
    this.code = code;
    if (stack !== null) this.stack = stack;
  }
}
