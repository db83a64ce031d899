/** A deleted view or run set stays, so that deleting can be undone. */
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
    /** Whether the runs count together, or are to be suggested no more: see `RUN_SET_KINDS`. */
    kind: string;
    /** Rule on names by which it takes up new jobs; null where it stays as it is. */
    rule: string | null;
    /** UTC, ISO 8601. */
    created_at: string;
    created_by: string | null;
    deleted_at: string | null;
  };
}
