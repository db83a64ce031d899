import { type Account, hasRole, type Role } from "@/lib/core/domain/account";

import { checkRole } from "./accounts";
import { type Actor, writeChange } from "./audit";
import { type AccountStore, transact } from "./store";

const DEFAULT_ROLE: Role = "viewer";

type FolderRoles = ReadonlyMap<string, Role>;

export function readFolderRoles(store: AccountStore): Promise<FolderRoles> {
  return store.read<FolderRoles>(new Map(), async ({ db }) => {
    const rows = await db.selectFrom("folder_role").select(["address", "role"]).execute();
    return new Map(rows.map(({ address, role }) => [address, role]));
  });
}

export function listHiddenFolders(roles: FolderRoles, account: Account | null): readonly string[] {
  return [...roles].flatMap(([address, role]) => (hasRole(account, role) ? [] : address)).toSorted();
}

/** Takes a path or bucket URL; returns the old role. */
export async function setFolderRole(
  store: AccountStore,
  { address, role }: { readonly address: string; readonly role: Role },
  by: Actor,
): Promise<Role> {
  const checked = checkRole(role);
  return transact(store, async (transaction) => {
    const known = await transaction
      .selectFrom("folder_role")
      .select("role")
      .where("address", "=", address)
      .executeTakeFirst();
    const values = { role: checked, changed_at: new Date().toISOString(), changed_by: by.account.name };
    await transaction
      .insertInto("folder_role")
      .values({ address, ...values })
      .onConflict((conflict) => conflict.column("address").doUpdateSet(values))
      .execute();
    const before = known?.role ?? DEFAULT_ROLE;
    await writeChange(transaction, by, "show folder", `${address}: ${before} → ${checked}`);
    return before;
  });
}
