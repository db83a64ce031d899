/** User-written TOML checks of agent steps and trial files. Reads only its input, or one folder. */
export type { Scanner } from "./scanner";
export {
  type ScannerSource,
  fingerprintScanners,
  prepareScannerSet,
  readOwnScanners,
  readScannerFile,
  type ScannerSet,
} from "./scanner-file";
export { scanTrialFolder } from "./scan-folder";
