import { Button } from "@/components/ui/button";

/** The cell of a table that ends what its row is about. @param props.what - of the row, as its button says it to screen readers */
export function RevokeCell({
  what,
  isPending,
  onRevoke,
}: {
  what: string;
  isPending: boolean;
  onRevoke: () => void;
}) {
  return (
    <td className="account-act phone-end">
      <Button look="bare" aria-disabled={isPending} aria-label={`Revoke ${what}`} onClick={onRevoke}>
        Revoke
      </Button>
    </td>
  );
}
