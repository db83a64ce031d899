import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";

import {
  addAccount,
  changeAccount,
  COMMAND_LINE,
  createToken,
  listAccounts,
  listTokens,
  revokeToken,
} from "./index";
import { findTokenAccount } from "./invitations";
import { openAccountStore } from "./store";

const PASSWORD = "correct horse";

describeEngines("accounts and tokens", (engine) => {
  it("are not changed where the log cannot be written", async () => {
    const store = openAccountStore(await engine.freshTarget());
    const ada = await addAccount(store, { name: "Ada", role: "admin", password: PASSWORD }, COMMAND_LINE);
    const rob = await addAccount(store, { name: "Rob", role: "reviewer", password: PASSWORD }, COMMAND_LINE);
    const by = { account: rob, address: "192.0.2.7" };
    const text = await createToken(store, { label: "CI", role: "viewer", days: 9 }, by);
    const read = async () => ({
      accounts: await listAccounts(store),
      tokens: await listTokens(store, rob.id),
      passwords: await store.read([], ({ db }) =>
        db.selectFrom("account").selectAll().orderBy("id").execute(),
      ),
    });
    const before = await read();
    const rename = (from: string, to: string) =>
      store.write(({ db }) => db.schema.alterTable(from).renameTo(to).execute());
    await rename("audit_event", "gone");
    const admin = { account: ada, address: "192.0.2.7" };
    for (const change of [
      () => changeAccount(store, rob.id, { role: "admin" }, admin),
      () => changeAccount(store, rob.id, { isBlocked: true }, admin),
      () => changeAccount(store, rob.id, { password: "another horse" }, COMMAND_LINE),
      () => addAccount(store, { name: "Eve", role: "viewer", password: PASSWORD }, COMMAND_LINE),
      () => createToken(store, { label: "more", role: "viewer", days: 9 }, by),
      () => revokeToken(store, before.tokens[0]?.id ?? "", by),
    ])
      await expect(change()).rejects.toThrow();
    await rename("gone", "audit_event");
    expect(await read()).toEqual(before);
    expect(await findTokenAccount(store, text)).toMatchObject({ name: "Rob", role: "viewer" });
    await store.close();
  });
});
