"use client";

import { createContext, type ReactNode, useContext } from "react";

import type { ActionName, RefusedActions } from "@/lib/accounts";
import type { Account } from "@/lib/domain/account";

interface Signed {
  /** Null where nobody signs in. */
  readonly account: Account | null;
  readonly refused: RefusedActions;
}

const AccountContext = createContext<Signed>({ account: null, refused: {} });

/** Says to everything below it who is signed in, and what that account may not do. */
export function AccountProvider({ account, refused, children }: Signed & { children: ReactNode }) {
  return <AccountContext value={{ account, refused }}>{children}</AccountContext>;
}

/** The name of whoever is signed in, under which they act; null where nobody signs in, and names are typed. */
export function useAccountName(): string | null {
  return useContext(AccountContext).account?.name ?? null;
}

/** Whether whoever looks at the page may take an action; everybody may where nobody signs in. */
export function useMay(action: ActionName): boolean {
  return useContext(AccountContext).refused[action] === undefined;
}

/** What an action is taken with, for those who may take it; for others a line that says which role it takes, or nothing. */
export function ForAction({
  action,
  subject,
  children,
}: {
  action: ActionName;
  /** The beginning of that line, such as `Judging`; nothing is said without. */
  subject?: string;
  children?: ReactNode;
}) {
  const { account, refused } = useContext(AccountContext);
  const least = refused[action];
  if (least === undefined) return children;
  if (subject === undefined) return null;
  return (
    <p className="muted" role="note">
      {subject} takes the role {least}; yours is {account?.role}. Ask an admin for it.
    </p>
  );
}
