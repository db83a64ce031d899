import { useSyncExternalStore } from "react";

interface Signal<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A value outside of React that components follow. */
export function createSignal<T>(initial: T): Signal<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A text in the browser's storage, the same in all its tabs. If storage is blocked, it lasts until the page is left. */
export function createStoredText(name: string) {
  const unstored = createSignal<string | null>(null);
  return {
    get: () => {
      try {
        return localStorage.getItem(name);
      } catch {
        return unstored.get();
      }
    },
    set: (text: string) => {
      try {
        localStorage.setItem(name, text);
      } catch {
        // Blocked: see above.
      }
      unstored.set(text);
    },
    subscribe: (listener: () => void) => {
      const stop = unstored.subscribe(listener);
      window.addEventListener("storage", listener);
      return () => {
        stop();
        window.removeEventListener("storage", listener);
      };
    },
  };
}

export function useSignal<T>({ subscribe, get }: Pick<Signal<T>, "subscribe" | "get">, onServer: T): T {
  return useSyncExternalStore(subscribe, get, () => onServer);
}
