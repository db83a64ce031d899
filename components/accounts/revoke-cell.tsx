import { Button } from "@/components/ui/button";

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
