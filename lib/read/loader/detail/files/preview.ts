import type { FilePreview } from "@/lib/core/domain/file-preview";

export type Previewed =
  | { readonly ok: true; readonly preview: FilePreview }
  | { readonly ok: false; readonly reason: string };

export function refusePreview(reason: string): Previewed {
  return { ok: false, reason };
}
