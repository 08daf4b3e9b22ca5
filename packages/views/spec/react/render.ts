import { Window } from 'happy-dom';
import { act, type ReactElement } from 'react';

// React looks for a document when it is loaded.
const window = new Window();
const globals = globalThis as Record<string, unknown>;
Object.assign(globals, { window, document: window.document, navigator: window.navigator, IS_REACT_ACT_ENVIRONMENT: true });
const { createRoot, hydrateRoot } = await import('react-dom/client');

/** A component on a page. */
export interface Page {
  readonly text: () => string | null;
  readonly update: (element: ReactElement) => void;
  readonly unmount: () => void;
}

/** Renders a component into a new page. */
export function show(element: ReactElement): Page {
  const container = window.document.createElement('div');
  const root = createRoot(container);
  const update = (next: ReactElement): void => act(() => root.render(next));
  update(element);
  return { text: () => container.textContent, update, unmount: () => act(() => root.unmount()) };
}

/** Takes over what a server has rendered: a page, and the errors from which React recovers. */
export function hydrate(html: string, element: ReactElement): Page & { readonly errors: readonly unknown[] } {
  const container = window.document.createElement('div');
  container.innerHTML = html;
  const errors: unknown[] = [];
  let root: ReturnType<typeof hydrateRoot> | undefined;
  act(() => {
    root = hydrateRoot(container, element, { onRecoverableError: (error) => errors.push(error) });
  });
  const update = (next: ReactElement): void => act(() => root?.render(next));
  return { text: () => container.textContent, update, unmount: () => act(() => root?.unmount()), errors };
}

/** Takes over what a server has rendered. Returns the text after that, and the errors from which React recovered. */
export function takeOver(html: string, element: ReactElement): readonly [text: string | null, errors: readonly unknown[]] {
  const page = hydrate(html, element);
  const text = page.text();
  page.unmount();
  return [text, page.errors];
}

/** Runs an action as in production, where React itself decides when to render. */
export async function outsideOfAct(run: () => Promise<void>): Promise<void> {
  globals['IS_REACT_ACT_ENVIRONMENT'] = false;
  await run();
  globals['IS_REACT_ACT_ENVIRONMENT'] = true;
}

export async function closeWindow(): Promise<void> {
  await window.happyDOM.close();
}
