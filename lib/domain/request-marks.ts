/** Cookie with the random key of a browser, by which a judgment is known to be its own. */
export const REVIEWER_COOKIE = "assay-reviewer";

/** Header that the server's guard sets on requests of an admin, and takes from everybody's. */
export const ADMIN_HEADER = "x-assay-admin";
