import { Button } from "@/components/ui/button";
import type { DataColumn } from "@/components/ui/table-columns";
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
    { id: "label", header, meta: { className: "name wrap", phone: "first" }, cell: label },
    { id: "role", header: "Role", meta: { phone: "side" }, cell: ({ role }) => role },
    ...more,
    {
      id: "expires",
      header: "Expires",
      meta: { phone: "labelled" },
      cell: ({ expiresAt }) => <TimeText time={readInstant(expiresAt)} />,
    },
    {
      id: "change",
      header: "Change",
      meta: { className: "account-act", phone: "end" },
      cell: (row) => (
        <Button
          look="bare"
          aria-disabled={isPending}
          aria-label={`Revoke ${nameOf(row)}`}
          onClick={() => onRevoke(row)}
        >
          Revoke
        </Button>
      ),
    },
  ];
}
