import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createInformer } from 'rx-informer';
import { NEVER } from 'rxjs';
import { inspectPage } from '@rx-informer/inspector';

const globals = globalThis as Record<string, unknown>;
const names = ['document', 'location', 'open', 'addEventListener', 'removeEventListener'] as const;
afterEach(() => {
  for (const name of names) Reflect.deleteProperty(globals, name);
});

/** A window that notes what is written into it. */
function windowOf() {
  const target = new EventTarget();
  const made: { readonly tag: string; textContent: string }[] = [];
  const written: string[] = [];
  const document = {
    title: 'my page',
    head: { append: (element: { readonly tag: string; textContent: string }) => void made.push(element) },
    open: () => undefined,
    write: (text: string) => void written.push(text),
    close: () => undefined,
    createElement: (tag: string) => ({ tag, textContent: '' }),
  };
  return {
    ...{ made, written, document, location: { href: 'http://localhost/' } },
    fetch: undefined as unknown as (path: string) => Promise<Response>,
    close: jest.fn(),
    emit: (type: string) => target.dispatchEvent(new Event(type)),
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  };
}

function browser(shown: ReturnType<typeof windowOf> | null) {
  const page = { ...windowOf(), open: () => shown };
  for (const name of names) Object.defineProperty(globals, name, { value: page[name], configurable: true });
  return page;
}

describe('inspectPage', () => {
  it('shows what runs in a browser page, in a window that asks nobody else', async () => {
    const pods = createInformer(NEVER, { resource: 'pods', name: 'pods of the page' });
    pods.start();
    const shown = windowOf();
    browser(shown);
    const { close } = await inspectPage();
    expect(shown.written.join()).toContain('<main></main>');
    expect(shown.written.join()).not.toMatch(/page\.(?:js|css)/);
    expect(shown.made.map(({ tag, textContent }) => [tag, textContent.length > 1_000])).toEqual([
      ['style', true],
      ['script', true],
    ]);
    const asked = encodeURIComponent(JSON.stringify({ panel: 'overview' }));
    const answer = (await (await shown.fetch(`/look?q=${asked}`)).json()) as { readonly title: string; readonly things: unknown };
    expect(answer.title).toBe('my page');
    expect(JSON.stringify(answer.things)).toContain('pods of the page');
    expect(await (await shown.fetch('/export')).text()).toMatch(/^\{"inspection":1.*\n/);
    close();
    expect(shown.close).toHaveBeenCalledTimes(1);
    await pods.stop();
  });

  it.each(['the window', 'the page'])('ends with %s', async (which) => {
    const shown = windowOf();
    const page = browser(shown);
    await inspectPage({ title: 'a' });
    (which === 'the page' ? page : shown).emit('pagehide');
    expect(shown.close).toHaveBeenCalledTimes(1);
    page.emit('pagehide');
    expect(shown.close).toHaveBeenCalledTimes(1);
  });

  it('says what is missing in a program, and where the browser blocks windows', async () => {
    await expect(inspectPage()).rejects.toThrow('in a program, use `startInspector`');
    browser(null);
    await expect(inspectPage()).rejects.toThrow('The browser blocked the window of `inspectPage`');
  });
});
