/** Everything under the opened folders, in memory. This file is the only entrance. */
export { findJob, findTrial } from "./find-job";
export { type Catalog, openCatalog } from "./open-catalog";
export { prepareRoots } from "./root-labels";
