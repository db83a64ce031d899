import type { PyValue } from "@/lib/core/scoring";

import { type PlainValue, toPlainValue } from "./plain-value";
import { recogniseHarborDocument } from "./recognise";

export interface TrialDocument {
  readonly plain: PlainValue;
  readonly exact: ReadonlyMap<string, PyValue>;
}

export function prepareTrialDocument(value: PyValue): TrialDocument | null {
  if (!(value instanceof Map) || recogniseHarborDocument(value) !== "trial-result") return null;
  return { plain: toPlainValue(value), exact: value };
}
