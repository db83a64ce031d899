/** Saved views: addresses of this program with a name. This file is the only entrance. */
export { getViewStore, openViewStore, type ViewStore } from "./store";
export { deleteView, listViews, renameView, restoreView, type SavedView, saveView } from "./views";
