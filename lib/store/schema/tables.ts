import type { Selectable } from "kysely";

import { DERIVED_DETAILS_TABLES } from "./derived-details-tables";
import { JOB_TABLES } from "./job-tables";
import { SCAN_TABLES } from "./scan-tables";
import type { RowsOf, Table } from "./table";
import { TRIAL_TABLES } from "./trial-tables";

const DECLARED = { ...JOB_TABLES, ...TRIAL_TABLES, ...DERIVED_DETAILS_TABLES, ...SCAN_TABLES } as const;

/** The index: derived from the folders alone, and built again whenever it is missing. */
export type IndexTables = { [Name in keyof typeof DECLARED]: RowsOf<(typeof DECLARED)[Name]> };

/** Every table of the index, from which its types and the statements that create it follow. */
export const TABLES: Readonly<Record<keyof IndexTables, Table>> = DECLARED;

/** A row of a table as it is read. */
export type Stored<Name extends keyof IndexTables> = Selectable<IndexTables[Name]>;
