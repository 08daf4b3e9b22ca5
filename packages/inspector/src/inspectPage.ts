import { checkOptions, messageOf, rules } from 'rx-informer/internal';
import { inspectionLines } from './inspection.js';
import { lookText } from './look.js';
import type { Scene } from './scene.js';
import type { InspectorOptions } from './startInspector.js';

/** Options of {@link inspectPage}. */
export interface PageInspectorOptions extends Pick<InspectorOptions, 'secrets' | 'timelineBytes'> {
  /** The page's name in the inspector. @defaultValue its title, or else its address */
  readonly title?: string | undefined;
}

/** The open window of {@link inspectPage}. */
export type PageInspector = Readonly<{
  /** Closes the window, and stops collecting data. Closing the window does the same. */
  close: () => void;
}>;

interface PageElement {
  textContent: string;
}

/** The parts of a browser's window that are used. */
interface WindowLike {
  fetch: (path: string) => Promise<Response>;
  readonly location: { readonly href: string };
  readonly document: {
    title: string;
    readonly head: { append(element: PageElement): void };
    open(): void;
    write(text: string): void;
    close(): void;
    createElement(tag: string): PageElement;
  };
  open(url: string): WindowLike | null;
  readonly close: () => void;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** What the inspector's own page asks for, without a server. */
function answer(scene: Scene, path: string): Response {
  try {
    if (path === '/export') return new Response([...inspectionLines(scene)].map((line) => `${line}\n`).join(''));
    return new Response(lookText(scene, path.replace(/^[^?]*\??/, '')));
  } catch (error) {
    return new Response(messageOf(error), { status: 500 });
  }
}

/**
 * Shows the inspector of this browser page in a window of its own: the informers and views that run in the page, also those over a relay, as `startInspector` does for a program.
 *
 * Nothing is sent anywhere: the window asks the page itself, which must stay open. The page's content security policy must allow inline scripts and styles.
 *
 * @example
 * ```ts
 * import { inspectPage } from '@rx-informer/inspector';
 *
 * // For a button of the page.
 * export const onClick = (): void => void inspectPage();
 * ```
 *
 * @throws TypeError when an option is wrong. Rejects outside of browsers, and when the browser blocks the window, as it does outside of a click.
 */
export async function inspectPage(options: PageInspectorOptions = {}): Promise<PageInspector> {
  checkOptions('inspectPage', options, {
    title: rules.nonEmptyString,
    secrets: rules.boolean,
    timelineBytes: rules.number({ min: 0, integer: true }),
  });
  const page = globalThis as unknown as Partial<WindowLike>;
  const { document, location, open, addEventListener, removeEventListener } = page;
  if (!document || !location || !open || !addEventListener || !removeEventListener)
    throw new Error('Expected `inspectPage` to be called in a browser page: in a program, use `startInspector`');
  // Before anything is awaited: browsers allow a window during a click only.
  const shown = open.call(page as WindowLike, '');
  if (shown === null) throw new Error('The browser blocked the window of `inspectPage`: call it in a click, or allow windows of this page');
  const { title = document.title || location.href, secrets = false, timelineBytes = 16 * 1024 * 1024 } = options;
  const [{ LiveScene }, { pageHtml, pageScript, pageStyle }] = await Promise.all([import('./scene.js'), import('./pageFiles.js')]);
  const scene = new LiveScene({ title, secrets, timelineBytes });
  const close = (): void => {
    removeEventListener('pagehide', close);
    scene.stop();
    shown.close();
  };
  shown.document.open();
  shown.document.write(pageHtml.replace(/<(?:link rel="stylesheet"|script)[^]*?>(?:<\/script>)?/g, ''));
  shown.document.close();
  shown.fetch = (path) => Promise.resolve(answer(scene, path));
  shown.addEventListener('pagehide', close);
  addEventListener('pagehide', close);
  for (const [tag, text] of [
    ['style', pageStyle],
    ['script', pageScript],
  ] as const) {
    const element = shown.document.createElement(tag);
    element.textContent = text;
    shown.document.head.append(element);
  }
  return { close };
}
