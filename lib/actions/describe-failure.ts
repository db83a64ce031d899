import { AppError, StoreError } from "@/lib/domain/app-error";

/** Returns the sentence of an expected failure, and throws any other. */
export function describeFailure(error: unknown): string {
  // A failure of the store may come from another bundle, where AppError is another class.
  if (error instanceof AppError || error instanceof StoreError) return error.message;
  throw error;
}
