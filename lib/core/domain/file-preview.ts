import type { TextBlock, TextLine } from "./trial-file";

/** Byte offsets: `fromByte` is inclusive, `toByte` exclusive. */
export interface FileWindow {
  readonly fromByte: number;
  readonly toByte: number;
}

/** Numbers stay as written; strings are decoded and cut. */
export interface JsonNode {
  readonly key: string | null;
  readonly kind: "object" | "list" | "text" | "other";
  readonly text: string;
  readonly n: number;
  readonly nChars: number;
  readonly children: readonly JsonNode[];
}

export interface JsonRecord {
  readonly line: number | null;
  readonly node: JsonNode | null;
  readonly problem: { readonly text: string; readonly reason: string } | null;
}

export interface TableRow {
  readonly line: number | null;
  readonly cells: readonly string[];
  readonly nCells: number;
}

export interface NotebookCell {
  readonly kind: "code" | "markdown" | "raw";
  readonly count: number | null;
  readonly source: TextBlock;
  readonly outputs: readonly (
    | { readonly kind: "text" | "error"; readonly text: TextBlock }
    | { readonly kind: "left-out"; readonly types: readonly string[] }
  )[];
}

export interface RecordingFrame {
  readonly atSeconds: number;
  readonly rows: readonly (readonly [row: number, line: TextLine])[];
}

export interface Recording {
  readonly nColumns: number;
  readonly nRows: number;
  readonly frames: readonly RecordingFrame[];
  readonly markers: readonly { readonly atSeconds: number; readonly label: string }[];
  readonly durationSeconds: number;
  readonly note: string | null;
}

export type FilePreview =
  | { readonly kind: "json"; readonly root: JsonNode }
  | { readonly kind: "records"; readonly records: readonly JsonRecord[]; readonly window: FileWindow }
  | {
      readonly kind: "table";
      readonly header: readonly string[];
      readonly nColumns: number;
      readonly rows: readonly TableRow[];
      readonly window: FileWindow;
    }
  | {
      readonly kind: "notebook";
      readonly cells: readonly NotebookCell[];
      readonly nCells: number;
    }
  | { readonly kind: "recording"; readonly recording: Recording };
