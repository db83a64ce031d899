/** Saved views: addresses of this program with a name. This file is the only entrance. */
export { getViewStore, openViewStore } from "./store";
export { deleteView, listViews, renameView, restoreView, type SavedView, saveView } from "./views";
