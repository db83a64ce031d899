import "server-only";
import type { IndexStore } from "@/lib/store/tables";

import { readClusters } from "../clusters/clusters";
import { type JobsState, readJobsState } from "../shell/jobs-state";
import { tellPages } from "../shell/live";
import { readTriageBase } from "./base";

/** Pages show one state for this long during classification. Recounting more often would slow them down. */
const SHOWN_MS = 30_000;

interface ShownStateOptions {
  readonly prepare: (state: JobsState) => Promise<unknown>;
  readonly tell: () => void;
  readonly after: (ms: number, run: () => void) => void;
}

interface ShownState {
  readonly shown: JobsState;
  readonly now: JobsState;
}

/**
 * Returns the state that pages show. During classification it is an older one, whose pages are already made. The next one is
 * prepared in the background, then open pages are notified. Without unclassified trials, it is the current state.
 */
export function createShownState({ prepare, tell, after }: ShownStateOptions) {
  const kept = new WeakMap<IndexStore, { readonly shown: JobsState; isFollowed: boolean }>();
  const show = (shown: JobsState) => {
    kept.set(shown.store, { shown, isFollowed: false });
    return shown;
  };
  return async (store: IndexStore): Promise<ShownState> => {
    const now = await readJobsState(store);
    const own = kept.get(store);
    if (own?.shown.generation === now.generation) return { shown: own.shown, now };
    if (own === undefined || now.unclassified.size === 0) return { shown: show(now), now };
    const follow = async () => {
      const next = await readJobsState(store);
      await prepare(next);
      if (kept.get(store) !== own) return;
      show(next);
      tell();
    };
    if (!own.isFollowed) {
      own.isFollowed = true;
      // After a failure, the next request tries again.
      after(SHOWN_MS, () => void follow().catch(() => (own.isFollowed = false)));
    }
    return { shown: own.shown, now };
  };
}

/** See {@link createShownState}. @throws StoreError */
export const readShownState = createShownState({
  prepare: async (state) => {
    await readTriageBase(state.store, state);
    await readClusters(state.store, undefined, state);
  },
  tell: tellPages,
  after: (ms, run) => void setTimeout(run, ms).unref(),
});
