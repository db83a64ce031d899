/** Saved views, addresses of this program with a name, and saved run sets. This file is the only entrance. */
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
export { deleteView, listViews, renameView, restoreView, type SavedView, saveView } from "./views";
