/** Saved views, which are named addresses of this program, and saved run sets. Other folders import only this file. */
export {
  deleteRunSet,
  deleteView,
  listViews,
  readRunSets,
  renameRunSet,
  renameView,
  restoreRunSet,
  restoreView,
  type SavedRunSet,
  type SavedView,
  saveRunSet,
  saveView,
  findMemberJob,
  LONGEST_RULE,
  type RunSetMember,
} from "./saved";
export { EARLIER_VIEW_STORE, getViewStore, openViewStore, openViewStoreOf, type ViewStore } from "./store";
