import { Notice } from "@/components/ui/notice";

export function NoAccounts() {
  return (
    <Notice title="Accounts are not enabled" code="assay accounts add NAME --role admin">
      Everyone who can open Assay can do everything, under any name they type. To require sign-in, create the
      first account with this command and restart Assay.
    </Notice>
  );
}
