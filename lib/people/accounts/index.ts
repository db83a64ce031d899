export {
  addAccount,
  changeAccount,
  findAccount,
  type ListedAccount,
  listAccounts,
  readFolderRoles,
  setFolderRole,
} from "./accounts";
export { type Actor, COMMAND_LINE, listEvents, type LoggedEvent } from "./audit";
export {
  acceptInvitation,
  createToken,
  type Invitation,
  invite,
  type ListedToken,
  listInvitations,
  listTokens,
  type Promised,
  readInvitation,
  revokeInvitation,
  revokeToken,
} from "./invitations";
export { disconnect, isConnected } from "./oidc";
export { openProvider } from "./oidc-provider";
export { type OidcSettings, readOidcSettings, readSignInWays, type SignInWays } from "./oidc-settings";
export { type ActionName, findBusyRoute, listRefusedActions, type RefusedActions } from "./permissions";
export { ACCOUNT_STORE, type AccountStore, getAccountStore, openAccountStoreOf } from "./store";
export { openTeam, type Team } from "./team";
