import type { FilePreview } from "@/lib/domain/file-preview";

/** A preview, or why a file has none, as one sentence. */
export type Previewed =
  | { readonly ok: true; readonly preview: FilePreview }
  | { readonly ok: false; readonly reason: string };

/** Why a file has no preview. */
export function refusePreview(reason: string): Previewed {
  return { ok: false, reason };
}
