import type { TextBlock, TextLine } from "./trial-file";

/** A part of a file, in bytes from its start: `fromByte` is the first, `toByte` the one after the last. */
export interface FileWindow {
  readonly fromByte: number;
  readonly toByte: number;
}

/** A value of a JSON file: its numbers as they are written, its texts decoded and cut. */
export interface JsonNode {
  /** What names it in its object; null elsewhere. */
  readonly key: string | null;
  readonly kind: "object" | "list" | "text" | "other";
  /** A text or number; of an object or list how it begins. */
  readonly text: string;
  /** Entries that it has, of which `children` are those that are shown. */
  readonly n: number;
  /** Characters that it takes in the file. */
  readonly nChars: number;
  readonly children: readonly JsonNode[];
}

/** One line of a JSON Lines file. */
export interface JsonRecord {
  /** From 1; null where counting lines would take too long. */
  readonly line: number | null;
  /** Null where the line is no JSON. */
  readonly node: JsonNode | null;
  /** How a line begins that is no JSON, and why it is none; null for all others. */
  readonly problem: { readonly text: string; readonly reason: string } | null;
}

/** A row of a table, with the line of the file that it begins on. */
export interface TableRow {
  readonly line: number | null;
  /** As many as are shown. */
  readonly cells: readonly string[];
  /** As many as there are. */
  readonly nCells: number;
}

export interface NotebookCell {
  readonly kind: "code" | "markdown" | "raw";
  /** How many cells had run before, as `In [3]` says; null for what did not run. */
  readonly count: number | null;
  readonly source: TextBlock;
  readonly outputs: readonly (
    | { readonly kind: "text" | "error"; readonly text: TextBlock }
    /** Types of what is not shown, such as image/png. */
    | { readonly kind: "left-out"; readonly types: readonly string[] }
  )[];
}

/** A moment of a recorded terminal: the rows that are not as they were before. */
export interface RecordingFrame {
  readonly atSeconds: number;
  readonly rows: readonly (readonly [row: number, line: TextLine])[];
}

/** What a terminal showed over time, in the frames that a page has room for. */
export interface Recording {
  readonly nColumns: number;
  readonly nRows: number;
  /** The first is at 0 s, and empty but for what was there at once. */
  readonly frames: readonly RecordingFrame[];
  readonly markers: readonly { readonly atSeconds: number; readonly label: string }[];
  readonly durationSeconds: number;
  /** What was left out or put together, as sentences; null when nothing was. */
  readonly note: string | null;
}

/** What a file is shown as by its type. */
export type FilePreview =
  | { readonly kind: "json"; readonly root: JsonNode }
  | { readonly kind: "records"; readonly records: readonly JsonRecord[]; readonly window: FileWindow }
  | {
      readonly kind: "table";
      readonly header: readonly string[];
      /** Columns of the file, of which the header has the first. */
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
