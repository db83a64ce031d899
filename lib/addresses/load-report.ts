import { type SearchValues, textParam } from "./params";

/** Reads the address of the load report. */
export function parseLoadReportParams(search: SearchValues): { readonly text: string } {
  return { text: textParam.parse(search["q"]) };
}
