import type { Route } from "next";

import { JUDGMENT_FORMATS } from "@/lib/core/domain/export-format";

import { type AddressValues, createAddress, readFileSearch } from "../address/address";
import { flag, name, oneOf } from "../address/values";

const exportAddress = createAddress({
  format: oneOf(JUDGMENT_FORMATS),
  history: flag("1"),
  queue: name,
  job: name,
  reviewer: name,
});

export type ExportParams = AddressValues<typeof exportAddress>;

export function exportHref(params: Partial<ExportParams> = {}): Route {
  return exportAddress.href("/annotations/export", params);
}

export function readExportRequest(url: string): ExportParams {
  return exportAddress.read(readFileSearch(url, exportAddress));
}
