import type { MirrorStatus } from "./mirror-status";

export type MirrorOrder =
  | { readonly kind: "scan" }
  | { readonly kind: "fill" }
  | { readonly kind: "bring"; readonly folder: string }
  | { readonly kind: "close" };

export type MirrorRequest =
  | { readonly kind: "start"; readonly address: string; readonly dataFolder: string }
  | (MirrorOrder & { readonly id: number });

export interface MirrorStatusReply {
  readonly kind: "status";
  readonly status: MirrorStatus;
}

export type MirrorReply = MirrorStatusReply | { readonly kind: "done"; readonly id: number };
