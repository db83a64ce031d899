import { expect, it, vi } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(new Headers()),
  cookies: () => Promise.resolve({ get: () => undefined }),
}));

/** Arguments that pages send are given. */
const WITHOUT_ARGUMENTS: ReadonlySet<string> = new Set(["startImport", "rescanAction", "disconnectAction"]);

it("no action fails as the server's fault when a request has no arguments", async () => {
  vi.stubEnv("ASSAY_DATA", makeFolder({}, "data"));
  vi.stubEnv("ASSAY_ROOTS", JSON.stringify([makeFolder({}, "jobs")]));
  const modules = import.meta.glob<Record<string, unknown>>("./*/*actions.ts");
  const faults: string[] = [];
  let nActions = 0;
  for (const load of Object.values(modules)) {
    for (const [name, action] of Object.entries(await load())) {
      if (typeof action !== "function" || WITHOUT_ARGUMENTS.has(name)) continue;
      nActions++;
      try {
        await (action as () => Promise<unknown>)();
      } catch (error) {
        faults.push(`${name}: ${String(error)}`);
      }
    }
  }
  expect(faults).toEqual([]);
  expect(nActions).toBeGreaterThan(30);
});
