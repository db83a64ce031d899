import { expect, it, vi } from "vitest";

import { ConflictError, StoreError } from "./app-error";

it("knows a failure of the store that another bundle of the same server threw", async () => {
  vi.resetModules();
  const other = await import("./app-error");
  expect(other.StoreError).not.toBe(StoreError);
  const failure: unknown = new other.StoreError("store_corrupt", "The store is damaged.");
  expect(failure instanceof StoreError).toBe(true);
  expect(new ConflictError("Somebody was first.", null) instanceof StoreError).toBe(false);
  expect(Object.assign(new Error("no such file"), { code: "ENOENT" }) instanceof StoreError).toBe(false);
});
