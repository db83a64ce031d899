import { expect, it } from "vitest";

import { ConflictError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { insertIdentity } from "./accounts";
import { ask } from "./ask.fixture";
import { acceptInvitation, addAccount, changeAccount, COMMAND_LINE, invite } from "./index";
import { openAccountStore } from "./store";
import { ADA, addQuickly, by, HASH, openGuarded, ORIGIN, signIn, whoIs } from "./team.fixture";

describeEngines("accounts", (engine) => {
  const open = async () => openAccountStore(await engine.freshTarget());

  it("have names that no other name passes for", async () => {
    const store = await open();
    for (const name of ["scope", "Irma Bell", "ben@lab.example"]) await addQuickly(store, name);
    const blocked = await addQuickly(store, "Modern", "viewer");
    await changeAccount(store, blocked.id, { isBlocked: true }, COMMAND_LINE);
    // The first is the example of UTS #39 for a whole word in Cyrillic.
    for (const name of [
      "ѕсоре",
      "lrma Bell",
      "Irma BeII",
      "1rma Be11",
      "ｂｅｎ@lab.example",
      "Modem",
      "rnodern",
    ])
      await expect(addQuickly(store, name), name).rejects.toThrow(ConflictError);
    const others = [
      "Ирма Белл",
      "Ἑλένη",
      "José Müller",
      "田中さん Ken",
      "김철수 Kim",
      "🦊 Rae 2",
      "Irma Ball",
      "عمر",
    ];
    for (const name of others) expect(await addQuickly(store, name), name).toMatchObject({ name });
    const spelled = { ...ADA, name: "Zoë Ångström 王" };
    expect(await addAccount(store, spelled, COMMAND_LINE)).toMatchObject({ name: spelled.name });
    // Accounts from before this rule.
    const now = new Date().toISOString();
    const old = { ...blocked, id: "old", name: "ѕсоре", username: "ѕсоре", email: "old@accounts.invalid" };
    await store.write(async ({ db }) => {
      await db
        .insertInto("user")
        .values({ ...old, emailVerified: 0, blockedAt: null, createdAt: now, updatedAt: now })
        .execute();
      await insertIdentity(db, "old", { providerId: "credential", accountId: "old", password: await HASH });
    });
    const team = await openGuarded(store);
    for (const name of ["scope", "ѕсоре"]) {
      const { cookie } = await signIn(team, name, ADA.password);
      expect(await whoIs(team, { cookie })).toMatchObject({ name });
    }
    await store.close();
  });

  itLong(engine.name === "sqlite")(
    "have no password that is common or their own name, wherever it is set",
    async () => {
      const store = await open();
      const ada = await addQuickly(store, ADA.name);
      const team = await openGuarded(store);
      const { cookie } = await signIn(team, ADA.name, ADA.password);
      const change = async (newPassword: unknown) =>
        (
          await team.answer({
            ...ask("/api/auth/change-password", { method: "POST" }),
            headers: { "content-type": "application/json", cookie },
            account: ada,
            origin: ORIGIN,
            body: Buffer.from(JSON.stringify({ currentPassword: ADA.password, newPassword })),
          })
        ).status;
      const secret = await invite(store, { role: "viewer" }, by(ada));
      for (const password of ["password123", "PASSWORD123", "qwertyuiop", "12345678", " ada  EXAMPLE"]) {
        for (const set of [
          () => acceptInvitation(store, { secret, name: ADA.name, password }, "192.0.2.9"),
          () => addAccount(store, { ...ADA, password }, COMMAND_LINE),
          () => changeAccount(store, ada.id, { password }, COMMAND_LINE),
        ])
          await expect(set(), password).rejects.toThrow(ValidationError);
        expect(await change(password), password).toBe(422);
      }
      expect(await change(undefined)).toBe(422);
      expect((await signIn(team, ADA.name, ADA.password)).status).toBe(200);
      expect(await change("mustard-engine")).toBe(200);
      expect((await signIn(team, ADA.name, "mustard-engine")).status).toBe(200);
      await store.close();
    },
  );
});
