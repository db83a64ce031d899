/** Buckets as folders: what lies below `s3://…` is listed, kept in a folder of the data folder, and read there like any other. */
export { readMirrorState } from "./place";
export { probeBucket } from "./probe";
export { bringFiles, describePath, type RunningMirror, startMirror } from "./start-mirror";
export type { MirrorStatus } from "./mirror-status";
