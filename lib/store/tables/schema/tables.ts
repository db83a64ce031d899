import type { Selectable } from "kysely";

import { DERIVED_DETAILS_TABLES } from "./derived-details-tables";
import { JOB_TABLES } from "./job-tables";
import { SCAN_TABLES } from "./scan-tables";
import type { RowsOf, Table } from "./table";
import { TRIAL_TABLES } from "./trial-tables";

const DECLARED = { ...JOB_TABLES, ...TRIAL_TABLES, ...DERIVED_DETAILS_TABLES, ...SCAN_TABLES } as const;

/** The index: derived from the folders alone, and rebuilt when missing. */
export type IndexTables = { [Name in keyof typeof DECLARED]: RowsOf<(typeof DECLARED)[Name]> };

export const TABLES: Readonly<Record<keyof IndexTables, Table>> = DECLARED;

export type Stored<Name extends keyof IndexTables> = Selectable<IndexTables[Name]>;
