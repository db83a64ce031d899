/** Backups: everything that cannot be computed again as one file, from either engine and into either. This file is the only entrance. */
export { checkBackup, restoreBackup } from "./restore-backup";
export { type BackupPart, writeBackup } from "./write-backup";
