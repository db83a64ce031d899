/** Saved views, which are named addresses of this program, and saved run sets. Other folders import only this file. */
export { findMemberJob, type RunSetMember } from "./members";
export {
  deleteRunSet,
  readRunSets,
  renameRunSet,
  restoreRunSet,
  type SavedRunSet,
  saveRunSet,
} from "./run-sets";
export { EARLIER_VIEW_STORE } from "./earlier";
export { getViewStore, openViewStore, openViewStoreOf, type ViewStore } from "./store";
export { LONGEST_RULE } from "./view-schema";
export { deleteView, listViews, renameView, restoreView, type SavedView, saveView } from "./views";
