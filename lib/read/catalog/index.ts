/** Everything under some folders at one moment, in memory. This file is the only entrance. */
export { readBoundDetails } from "./bound-details";
export { boundEntry } from "./bound-entry";
export { assignJobKeys, findRepeatedIds, listOriginParts } from "./job-origins";
export { readCatalog, sortIssues, verifyDraft, prepareRoots } from "./read-catalog";
