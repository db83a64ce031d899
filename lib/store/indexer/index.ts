/** Keeps the index of some folders up to date. Other folders import only this file. */
export { closeSharedIndex, getSharedIndex, limitIndex, limitStatus } from "./limited-index";
export { type OpenIndex, openIndex } from "./open-index";
export { type IndexPhase, type IndexStatus, NO_STATUS } from "./progress";
