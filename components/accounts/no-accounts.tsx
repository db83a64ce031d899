import { Notice } from "@/components/ui/notice";

export function NoAccounts() {
  return (
    <Notice title="Nobody signs in here" code="assay accounts add NAME --role admin">
      This Assay has no accounts: whoever can open it may do everything, and names are typed. Make the first
      account with this command and start Assay again; from then on everybody signs in.
    </Notice>
  );
}
