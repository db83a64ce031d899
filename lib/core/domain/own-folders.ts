/** Folder of users' own scanners, in the data folder. */
export const SCANNER_FOLDER = "scanners";
