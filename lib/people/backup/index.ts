/** Backups: all data that cannot be computed again, in one file, for either engine. Other folders import only this file. */
export { checkBackup, restoreBackup } from "./restore-backup";
export { type BackupPart, writeBackup } from "./write-backup";
