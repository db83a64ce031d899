/** Everything under some folders at one moment, in memory. This file is the only entrance. */
export { assignJobKeys, findRepeatedIds, listOriginParts } from "./job-origins";
export { readCatalog, verifyDraft } from "./read-catalog";
export { prepareRoots } from "./root-labels";
