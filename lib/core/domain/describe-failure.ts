import { AppError, StoreError } from "@/lib/core/domain/app-error";

export function describeFailure(error: unknown): string {
  // A StoreError may come from another bundle, where AppError is another class.
  if (error instanceof AppError || error instanceof StoreError) return error.message;
  throw error;
}
