/** Everything under some folders at one moment, in memory. This file is the only entrance. */
export { readCatalog } from "./read-catalog";
export { prepareRoots } from "./root-labels";
