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
export { getViewStore, openViewStore, openViewStoreOf, VIEW_STORE, type ViewStore } from "./store";
export { LONGEST_RULE } from "./view-schema";
export { deleteView, listViews, renameView, restoreView, type SavedView, saveView } from "./views";
