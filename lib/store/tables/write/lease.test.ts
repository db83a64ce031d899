import { expect, it, onTestFinished } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";

import { LEASE_MS, openIndexStore, returnLease, takeLease } from "../index";

const NOBODY_DEAD = () => false;

describeEngines("the right to write", (engine) => {
  async function openTwo() {
    const target = await engine.freshTarget();
    const stores = [await openIndexStore(target), await openIndexStore(target)] as const;
    onTestFinished(async () => {
      for (const store of stores) await store.close();
    });
    return stores;
  }

  it("is one program's until that gives it back", async () => {
    const [one, other] = await openTwo();
    expect(await takeLease(one, "one:1", 1000, NOBODY_DEAD)).toBe("taken");
    expect(await takeLease(other, "other:2", 1000, NOBODY_DEAD)).toBe("other");
    expect(await takeLease(one, "one:1", 1001, NOBODY_DEAD)).toBe("kept");
    await returnLease(other, "other:2");
    expect(await takeLease(other, "other:2", 1002, NOBODY_DEAD)).toBe("other");
    await returnLease(one, "one:1");
    expect(await takeLease(other, "other:2", 1003, NOBODY_DEAD)).toBe("taken");
    await returnLease(other, "other:2");
    // Another program may have written in between, and the first one must notice.
    expect(await takeLease(one, "one:1", 1004, NOBODY_DEAD)).toBe("taken");
  });

  it("runs out, and at once for a holder that is known to have ended", async () => {
    const [one, other] = await openTwo();
    await takeLease(one, "one:1", 1000, NOBODY_DEAD);
    expect(await takeLease(other, "other:2", 999 + LEASE_MS, NOBODY_DEAD)).toBe("other");
    expect(await takeLease(other, "other:2", 1000 + LEASE_MS, NOBODY_DEAD)).toBe("taken");
    expect(await takeLease(one, "one:1", 1000 + LEASE_MS, (holder) => holder === "other:2")).toBe("taken");
  });

  it("does not outlive a clock that was set back", async () => {
    const [one, other] = await openTwo();
    await takeLease(one, "one:1", 1_000_000_000, NOBODY_DEAD);
    expect(await takeLease(other, "other:2", 1000, NOBODY_DEAD)).toBe("taken");
  });

  it("stays with a server whose clock is some seconds ahead of the others'", async () => {
    const [one, other] = await openTwo();
    await takeLease(one, "one:1", 11_000, NOBODY_DEAD);
    expect(await takeLease(other, "other:2", 1000, NOBODY_DEAD)).toBe("other");
    expect(await takeLease(one, "one:1", 12_000, NOBODY_DEAD)).toBe("kept");
  });

  it("goes to one of many that ask at the same moment", async () => {
    const [one, other] = await openTwo();
    for (let round = 1; round <= 5; round++) {
      const nowMs = round * 2 * LEASE_MS;
      const answers = await Promise.all([
        takeLease(one, "one:1", nowMs, NOBODY_DEAD),
        takeLease(other, "other:2", nowMs, NOBODY_DEAD),
        takeLease(one, "third:3", nowMs, NOBODY_DEAD),
      ]);
      expect(answers.filter((state) => state !== "other")).toHaveLength(1);
    }
  });

  it("is never lost to its own holder, who asks again while it is being renewed", async () => {
    const [one] = await openTwo();
    await takeLease(one, "one:1", 1000, NOBODY_DEAD);
    for (let round = 1; round <= 20; round++) {
      const asked = Array.from({ length: 8 }, (_, n) =>
        takeLease(one, "one:1", 1000 + 10 * round + n, NOBODY_DEAD),
      );
      expect(new Set(await Promise.all(asked))).toEqual(new Set(["kept"]));
    }
  });
});
