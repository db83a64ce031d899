import { expect, it } from "vitest";

import { listSearchValues } from "../address/address";
import { trialHref } from "../address/href";
import { diffAddress, diffHref, readTrialRef, swappedHref } from "./address";

const read = (href: string) => diffAddress.read(listSearchValues(`http://x${href}`));

it("names two trials with any keys, and swaps them", () => {
  const a = { jobKey: "root/run 1", trialKey: "a%2Fb&c=d#e" };
  const b = { jobKey: "名前", trialKey: "alpha__aaaaaaa" };
  const params = read(diffHref({ a, b, tab: "files", row: 12, isUnfolded: true, file: "x/y.py" }));
  expect(params).toMatchObject({ a, b, tab: "files", row: 12, isUnfolded: true, file: "x/y.py" });
  expect(read(swappedHref(params))).toEqual({ ...params, a: b, b: a });
  expect(diffHref({ a: { jobKey: "run-1", trialKey: "alpha__aaaaaaa" } })).toBe(
    "/diff?a=run-1/alpha__aaaaaaa",
  );
});

it("knows a trial by the address of its page, and nothing by another address", () => {
  const ref = { jobKey: "root/run 1", trialKey: "a%2Fb&c=d#e" };
  expect(readTrialRef(trialHref(ref.jobKey, ref.trialKey, { list: "x" }))).toEqual(ref);
  for (const href of ["/jobs/run-1", "/trials/x", "//evil/jobs/a/trials/b", ""])
    expect(readTrialRef(href)).toBeNull();
});

it("skips lines that are not trials, and says so", () => {
  const search = { a: "run", b: "a/b/c", row: "0" };
  expect(diffAddress.read(search)).toMatchObject({ a: null, b: null, row: null });
  expect(diffAddress.listUnknown(search)).toEqual(["a", "b", "row"]);
});
