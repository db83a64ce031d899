import fc from "fast-check";
import { expect, it } from "vitest";

import { parseViewHref } from "@/lib/people/views/saved";
import { arbitraryMutation } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { annotationsAddress, recordedAddress } from "../annotations/address";
import { conflictsAddress, newQueueAddress, verifierAddress } from "../annotations/review-address";
import { codebookAddress } from "../codebook/address";
import { compareAddress, compareParamsHref, parseCompareParams } from "../compare/address";
import { datasetAddress, datasetsAddress } from "../datasets/address";
import { diffAddress, diffHref, readTrialRef } from "../diff/address";
import { errorsAddress, scannersAddress } from "../errors/address";
import { JOB_ADDRESSES } from "../job/address";
import { jobsAddress } from "../jobs/address";
import { loadReportAddress } from "../load-report/address";
import { queueAddress, queuesAddress } from "../queues/address";
import { taskAddress } from "../tasks/address";
import { taxonomyAddress } from "../taxonomy/address";
import { triageAddress } from "../triage/address";
import { trialAddress } from "../trial/address";
import { trialsAddress } from "../trials/address";
import { type createAddress, listSearchValues, type SearchValues } from "./address";

type Address = Pick<ReturnType<typeof createAddress>, "names" | "listUnknown"> & {
  readonly read: (search: SearchValues) => object;
  readonly href: (path: string, values: never) => string;
};

const ADDRESSES: Readonly<Record<string, Address>> = {
  ...JOB_ADDRESSES,
  ...{
    annotationsAddress,
    codebookAddress,
    compareAddress,
    conflictsAddress,
    datasetAddress,
    datasetsAddress,
  },
  ...{
    errorsAddress,
    jobsAddress,
    loadReportAddress,
    newQueueAddress,
    queueAddress,
    queuesAddress,
  },
  ...{
    recordedAddress,
    scannersAddress,
    taskAddress,
    taxonomyAddress,
    trialAddress,
    trialsAddress,
    triageAddress,
    verifierAddress,
  },
};

/** Values that mean something to one parser or another. */
const WORDS =
  "1 0 2 asc desc yes no mean cost task passed failed errored fail orca m1 tests files 0.5 a:b end".split(
    " ",
  );
const VALUES = [...WORDS, "a,b", "12..14", "job~trial", "2026-05-01", "/jobs/a/trials/b?step=2", "weight.a"];

/** A query of these names with values that are meant, or nearly. */
function arbitraryQuery(names: readonly string[]): fc.Arbitrary<string> {
  const value = fc.oneof(
    fc.constantFrom(...VALUES),
    arbitraryMutation(VALUES).map(({ text }) => text),
    fc.string({ maxLength: 20 }),
  );
  const pair = fc.tuple(fc.constantFrom(...names, "weight.a", "other"), value);
  return fc
    .array(pair, { maxLength: 8 })
    .map((pairs) =>
      pairs.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join("&"),
    );
}

const search = (href: string) => listSearchValues(new URL(href, "http://x").href);

it.each(Object.entries(ADDRESSES))("%s: round-trips, and falls back to a default", (_, address) => {
  fc.assert(
    fc.property(arbitraryQuery(address.names), (query) => {
      const asked = search(`/?${query}`);
      const values = address.read(asked);
      const href = address.href("/p", values as never);
      expect(address.read(search(href))).toEqual(values);
      // Writing is idempotent, so a link to the open page is the same.
      expect(address.href("/p", address.read(search(href)) as never)).toBe(href);
      expect(address.names).toEqual(expect.arrayContaining([...address.listUnknown(asked)]));
      expect(address.listUnknown(search(href))).toEqual([]);
    }),
    planRuns({ short: 40, long: 8_000 }),
  );
});

it("pages of two trials and of groups, and saved addresses, are read back as they are written", () => {
  const query = arbitraryQuery([...compareAddress.names, "a", "b", "tab", "row", "file"]);
  fc.assert(
    fc.property(query, (text) => {
      const diff = diffAddress.read(search(`/?${text}`));
      expect(diffAddress.read(search(diffHref(diff)))).toEqual(diff);
      const compare = parseCompareParams(search(`/?${text}`));
      expect(parseCompareParams(search(compareParamsHref(compare)))).toEqual(compare);
      readTrialRef(text);
      for (const one of [text, `/jobs/a?${text}`, `//${text}`]) {
        const href = parseViewHref(one);
        if (href === null) continue;
        expect(new URL(href, "http://x").origin).toBe("http://x");
        expect(parseViewHref(href)).toBe(href);
      }
    }),
    planRuns({ short: 200, long: 30_000 }),
  );
});
