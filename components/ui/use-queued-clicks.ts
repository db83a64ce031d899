import { createContext, type MouseEvent, useLayoutEffect, useRef, useTransition } from "react";

/** Starts a change that is pending until the navigation of the same event ends. */
export const ChangeContext = createContext(() => {});

const CHANGE = "[data-queued]";

/**
 * Queues clicks that change the URL. Each control builds its link from the rendered URL, so a click while another change is pending
 * would undo that change. Queued clicks are repeated on the new page.
 */
export function useQueuedClicks() {
  const [isPending, startTransition] = useTransition();
  const waiting = useRef<HTMLElement[]>([]);
  useLayoutEffect(() => {
    if (isPending) return;
    const next = waiting.current.find(({ isConnected }) => isConnected);
    waiting.current = next === undefined ? [] : waiting.current.slice(waiting.current.indexOf(next) + 1);
    if (next !== undefined) startTransition(() => next.click());
  }, [isPending]);
  const begin = () => startTransition(() => undefined);
  const handlers = {
    onClickCapture: (event: MouseEvent) => {
      const control = isPending ? findControl(event) : null;
      if (control === null) return;
      event.stopPropagation();
      // A checkbox shows its tick at once.
      if (control instanceof HTMLAnchorElement) event.preventDefault();
      waiting.current.push(control);
    },
    onClick: ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(CHANGE) !== null) begin();
    },
  };
  return { begin, handlers };
}

function findControl({ target, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): HTMLElement | null {
  const control = target instanceof Element ? target.closest<HTMLElement>(`a[href], ${CHANGE}`) : null;
  if (!(control instanceof HTMLAnchorElement)) return control;
  return control.pathname === location.pathname && !(metaKey || ctrlKey || shiftKey || altKey)
    ? control
    : null;
}
