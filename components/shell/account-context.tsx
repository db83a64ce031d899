"use client";

import { createContext, type ReactNode, useContext } from "react";

import type { ActionName, RefusedActions } from "@/lib/accounts";
import type { Account } from "@/lib/domain/account";

interface Signed {
  readonly account: Account | null;
  readonly refused: RefusedActions;
}

const AccountContext = createContext<Signed>({ account: null, refused: {} });

export function AccountProvider({ account, refused, children }: Signed & { children: ReactNode }) {
  return <AccountContext value={{ account, refused }}>{children}</AccountContext>;
}

/** Returns the name of the signed-in user; null without accounts, where names are typed. */
export function useAccountName(): string | null {
  return useContext(AccountContext).account?.name ?? null;
}

/** Returns true if the user may take an action; always true without accounts. */
export function useMay(action: ActionName): boolean {
  return useContext(AccountContext).refused[action] === undefined;
}

/** Renders an action for users who may take it; for others the required role, or nothing. */
export function ForAction({
  action,
  subject,
  children,
}: {
  action: ActionName;
  /** Start of that line, such as `Judging`; without it nothing is shown. */
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
