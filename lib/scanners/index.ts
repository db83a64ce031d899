/** Checks over what agents did and the files of their trials, which users write in TOML. Reads nothing but what it is handed, or one folder. */
export type { Scanner } from "./scanner";
export type { RefusedScanner, ScannerSource } from "./scanner-file";
export { type FolderScan, scanTrialFolder } from "./scan-folder";
export {
  fingerprintScanners,
  prepareScannerSet,
  readOwnScanners,
  readScannerFile,
  type ScannerSet,
} from "./scanner-set";
