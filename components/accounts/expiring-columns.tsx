import { Button } from "@/components/ui/button";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import type { Role } from "@/lib/core/domain/account";
import { readInstant } from "@/lib/core/domain/clock-time";

interface Expiring {
  readonly role: Role;
  /** UTC, ISO 8601. */
  readonly expiresAt: string;
}

/** Returns the columns of a list of tokens or invitations, which expire and can be revoked. */
export function listExpiring<Row extends Expiring>(
  header: string,
  label: DataColumn<Row>["cell"],
  more: readonly DataColumn<Row>[],
  {
    isPending,
    nameOf,
    onRevoke,
  }: { isPending: boolean; nameOf: (row: Row) => string; onRevoke: (row: Row) => void },
): readonly DataColumn<Row>[] {
  return [
    column(header, label, { className: "name wrap", phone: "first" }),
    column("Role", ({ role }) => role, { phone: "side" }),
    ...more,
    column("Expires", ({ expiresAt }) => <TimeText time={readInstant(expiresAt)} />, { phone: "labelled" }),
    column(
      "Change",
      (row) => (
        <Button
          look="bare"
          aria-disabled={isPending}
          aria-label={`Revoke ${nameOf(row)}`}
          onClick={() => onRevoke(row)}
        >
          Revoke
        </Button>
      ),
      { className: "account-act", phone: "end" },
    ),
  ];
}
