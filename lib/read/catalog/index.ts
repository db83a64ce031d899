/** Everything under some folders at one moment, in memory. This file is the only entrance. */
export { readBoundDetails } from "./bound-entry";
export { boundEntry } from "./bound-entry";
export { assignJobKeys, findRepeatedIds, listOriginParts } from "./read-catalog";
export { readCatalog, sortIssues, verifyDraft, prepareRoots } from "./read-catalog";
