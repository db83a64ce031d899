import { createContext, type MouseEvent, useLayoutEffect, useRef, useTransition } from "react";

/** Begins a turn that ends together with the navigation started by the same event. */
export const TurnContext = createContext(() => {});

/** Marks controls that change a part of the page's URL. */
const CHANGE = "[data-turn]";

/**
 * Makes changes of the URL take turns. Each control builds on the rendered URL, so a click while another change loads would undo
 * that change. Such a click waits, then happens on the new page.
 */
export function useTurns() {
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
      // A checkbox still shows its tick.
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
