import { expect, test } from "vitest";

import { listSearchValues } from "../address/address";
import { errorsAddress, errorsHref } from "./address";

const readBack = (href: string) => errorsAddress.read(listSearchValues(`http://x${href}`));

test("every filter survives the way through the address", () => {
  const params = {
    jobs: ["a job", "b/c"],
    agents: ["orca meridian-5"],
    causes: ["limit", "other"] as const,
    text: "exit 137 & more",
    open: "AgentTimeoutError",
  };
  expect(readBack(errorsHref(params))).toEqual(params);
});

test("defaults are not written, and nonsense falls back to them", () => {
  expect(errorsHref(errorsAddress.read({}))).toBe("/errors/exceptions");
  expect(errorsAddress.read({ cause: ["bad luck"], q: "  " })).toEqual(errorsAddress.read({}));
});
