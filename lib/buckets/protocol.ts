import type { MirrorStatus } from "./mirror-status";

export type MirrorOrder =
  | { readonly kind: "scan" }
  | { readonly kind: "fill" }
  /** Somebody looks at what lies below a folder of the mirror. */
  | { readonly kind: "bring"; readonly folder: string }
  | { readonly kind: "close" };

/** What it is sent: where to begin, once, then orders. */
export type MirrorRequest =
  | { readonly kind: "start"; readonly address: string; readonly dataFolder: string }
  | (MirrorOrder & { readonly id: number });

/** How it stands, whenever that changes. */
export interface MirrorStatusReply {
  readonly kind: "status";
  readonly status: MirrorStatus;
}

/** What it says; `done` that an order was carried out. */
export type MirrorReply = MirrorStatusReply | { readonly kind: "done"; readonly id: number };
