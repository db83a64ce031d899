/** Everything under the opened folders, in memory. This file is the only entrance. */
export { findJob, findTrial } from "./find-job";
export { type Catalog, type CatalogOptions, type CatalogProgress, openCatalog } from "./open-catalog";
