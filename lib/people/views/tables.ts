/** Deleted rows are kept, so that deleting can be undone. */
export interface ViewTables {
  views: {
    id: string;
    name: string;
    href: string;
    /** UTC, ISO 8601. */
    created_at: string;
    created_by: string | null;
    deleted_at: string | null;
  };
  run_sets: {
    id: string;
    name: string;
    /** JSON, see `RUN_SET_MEMBERS`. */
    members: string;
    kind: string;
    /** Rule on job names, see `findRunSets`, that adds new jobs; null if the set is fixed. */
    rule: string | null;
    created_at: string;
    created_by: string | null;
    deleted_at: string | null;
  };
}
