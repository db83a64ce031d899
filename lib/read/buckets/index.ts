export { readMirrorState } from "./place";
export { probeBucket } from "./probe";
export { bringFiles, describePath, isLocalFile, type RunningMirror, startMirror } from "./start-mirror";
export type { MirrorStatus } from "./place";
