export abstract class AppError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

export class NotFoundError extends AppError {
  readonly code = "not_found";
}

export class ValidationError extends AppError {
  readonly code = "invalid";
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, fields: Readonly<Record<string, string>>) {
    super(message);
    this.fields = fields;
  }
}

export class ConflictError<T> extends AppError {
  readonly code = "conflict";
  readonly current: T;

  constructor(message: string, current: T) {
    super(message);
    this.current = current;
  }
}

export class ReadingError extends AppError {
  readonly code = "reading_failed";
}

export class ForbiddenError extends AppError {
  readonly code = "forbidden";
}

const STORE_FAILURES = [
  "store_locked",
  "store_read_only",
  "store_full",
  "store_corrupt",
  "store_foreign",
  "store_too_new",
  "store_inside_job",
  "store_unavailable",
  "queue_unreadable",
] as const;

/** A closed list: pages and the CLI switch on it. */
export type StoreFailure = (typeof STORE_FAILURES)[number];

const STORE_DIGEST = "store failure: ";

export function readStoreDigest(digest: string | undefined): string | null {
  return digest?.startsWith(STORE_DIGEST) === true ? digest.slice(STORE_DIGEST.length) : null;
}

/** Nothing was changed. */
export class StoreError extends AppError {
  readonly code: StoreFailure;
  /** The only part of a server error that a page's error boundary receives; see {@link readStoreDigest}. */
  readonly digest: string;

  /** Compares the code: pages and route handlers are bundled separately, each with its own class, and share one open store. */
  static override [Symbol.hasInstance](value: unknown): value is StoreError {
    return value instanceof Error && "code" in value && STORE_FAILURES.some((code) => code === value.code);
  }

  constructor(code: StoreFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.digest = STORE_DIGEST + message;
  }
}

/** Returns `instead` if a store cannot be read. */
export async function unlessUnreadable<T, Instead>(
  read: () => Promise<T>,
  instead: Instead,
): Promise<T | Instead> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreError) return instead;
    throw error;
  }
}

export function describeFailure(error: unknown): string {
  // A StoreError may come from another bundle, where AppError is another class.
  if (error instanceof AppError || error instanceof StoreError) return error.message;
  throw error;
}
