import "server-only";

import type { IndexStore } from "@/lib/store";

import { type JobsState, readJobsState } from "../shell/jobs-state";
import { tellPages } from "../shell/live";
import { readTriageBase } from "./base";
import { readClusters } from "./clusters";

/** So long pages show the same while trials are being classified: more often counting anew would hold them up. */
const SHOWN_MS = 30_000;

/** What a {@link createShownState} goes by. */
interface ShownStateOptions {
  /** Makes all that pages of a state need. */
  readonly prepare: (state: JobsState) => Promise<unknown>;
  /** Called once pages of another state can be shown. */
  readonly tell: () => void;
  /** Calls once after a time; keeps no program alive. */
  readonly after: (ms: number, run: () => void) => void;
}

export interface ShownState {
  readonly shown: JobsState;
  readonly now: JobsState;
}

/**
 * The state of jobs that pages show. While trials are being classified that is one of some seconds ago, whose pages are made
 * already; the next one is prepared meanwhile, whether or not anybody asks again, and then open pages are told. Whenever everything is
 * classified it is the state that the jobs are in.
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
      // Where it fails, whoever asks next has it tried again.
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
