import type { DatabaseTarget, DataEnvironment } from "@/lib/store/database";
import { findShown, getVisibility } from "@/lib/store/visibility";

import type { NewStatement } from "../annotations/statements/statement";
import {
  type AnnotationStore,
  getWholeStore,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "../annotations/store";
import { takeInViews } from "./earlier";
import type { Viewer } from "./limit-saved";

/** The whole log of statements, of which only views and run sets are read, see `limitSaved`. */
export interface ViewStore extends Pick<AnnotationStore, "place" | "read" | "write" | "close"> {
  /** See `takeInViews`. @throws StoreError */
  readonly takeIn: () => Promise<readonly NewStatement[]>;
  readonly viewer: Viewer | null;
}

/** See `openOnUse`. @throws StoreError on use, never here */
export function openViewStore(target: DatabaseTarget): ViewStore {
  return makeViewStore(openAnnotationStore(target), target, null);
}

export function openViewStoreOf(environment: DataEnvironment): ViewStore {
  return openViewStore(resolveAnnotationTarget(environment));
}

/** Limited to what the current user may see. */
export function getViewStore(): ViewStore {
  const visibility = getVisibility();
  const shown = findShown(visibility);
  const viewer = shown === null ? null : { shown, asker: visibility.asker };
  return makeViewStore(getWholeStore(), resolveAnnotationTarget(process.env), viewer);
}

/** Moves that are under way or done. */
const taken = new WeakMap<AnnotationStore, Promise<readonly NewStatement[]>>();

function makeViewStore(log: AnnotationStore, target: DatabaseTarget, viewer: Viewer | null): ViewStore {
  const takeIn = (): Promise<readonly NewStatement[]> => {
    const taking = taken.get(log) ?? takeInViews(log, target);
    taken.set(log, taking);
    const forget = () => taken.delete(log);
    void taking.then((kept) => kept.length > 0 && forget(), forget);
    return taking;
  };
  const { place, read, write, close } = log;
  return { place, read, write, close, takeIn, viewer };
}
