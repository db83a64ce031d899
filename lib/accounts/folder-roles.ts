import { type Account, hasRole, type Role } from "@/lib/domain/account";

import { checkRole } from "./accounts";
import { type Actor, writeChange } from "./audit";
import type { AccountStore } from "./store";

/** Who sees a folder that nobody decided about: everybody who is signed in. */
const DEFAULT_ROLE: Role = "viewer";

/** The least role that sees a folder, by its address; folders that nobody decided about are absent. */
export type FolderRoles = ReadonlyMap<string, Role>;

/** Reads who sees which folders, those that are not opened just now among them. @throws StoreError */
export function readFolderRoles(store: AccountStore): Promise<FolderRoles> {
  return store.read<FolderRoles>(new Map(), async ({ db }) => {
    const rows = await db.selectFrom("folder_role").select(["address", "role"]).execute();
    return new Map(rows.map(({ address, role }) => [address, role]));
  });
}

/** Returns the addresses of folders that somebody does not see, in order. @param account - null for nobody */
export function listHiddenFolders(roles: FolderRoles, account: Account | null): readonly string[] {
  return [...roles].flatMap(([address, role]) => (hasRole(account, role) ? [] : address)).toSorted();
}

/**
 * Decides from which role on a folder is seen, and writes it into the audit log.
 *
 * @param change.address - of the folder: its real path, or the address of a bucket
 * @returns the role that saw it before
 * @throws ValidationError for a role that there is not, StoreError
 */
export async function setFolderRole(
  store: AccountStore,
  { address, role }: { readonly address: string; readonly role: Role },
  by: Actor,
): Promise<Role> {
  const checked = checkRole(role);
  return store.write(({ db }) =>
    db.transaction().execute(async (transaction) => {
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
    }),
  );
}
