export { addAccount, changeAccount, findAccount, type ListedAccount, listAccounts } from "./accounts";
export { type Actor, COMMAND_LINE, listEvents, type LoggedEvent } from "./audit";
export { readFolderRoles, setFolderRole } from "./folder-roles";
export {
  acceptInvitation,
  type Invitation,
  invite,
  listInvitations,
  type Promised,
  readInvitation,
  revokeInvitation,
} from "./invitations";
export { disconnect, isConnected } from "./oidc-accounts";
export { openProvider } from "./oidc-provider";
export { type OidcSettings, readOidcSettings, readSignInWays, type SignInWays } from "./oidc-settings";
export { type ActionName, listRefusedActions, type RefusedActions } from "./permissions";
export { ACCOUNT_STORE, type AccountStore, getAccountStore, openAccountStoreOf } from "./store";
export { findBusyRoute } from "./permissions";
export { openTeam, type Team } from "./team";
export { createToken, type ListedToken, listTokens, revokeToken } from "./tokens";
