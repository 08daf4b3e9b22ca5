import { afterAll, describe, expect, it } from '@jest/globals';
import { createEnvironmentInjector, DestroyRef, inject, runInInjectionContext, signal } from '@angular/core';
import { build } from 'esbuild';
import { Window } from 'happy-dom';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Collection, IndexSnapshot } from 'rx-informer';
import { fakeCollection } from '@rx-informer/views/testing';
import { pod } from 'rx-informer/testing';
import { toSignal } from '@rx-informer/views';

// Frameworks look for a document when they are loaded.
const window = new Window();
const globals = globalThis as Record<string, unknown>;
const names = ['Node', 'Element', 'HTMLElement', 'SVGElement', 'Text', 'Comment', 'DocumentFragment', 'HTMLMediaElement', 'Event'] as const;
Object.assign(globals, { window, document: window.document, navigator: window.navigator });
for (const name of names) globals[name] = (window as unknown as Record<string, unknown>)[name];
const { createApp, h, nextTick, onScopeDispose, shallowRef } = await import('vue');
const { compile } = await import('svelte/compiler');
afterAll(() => window.happyDOM.close());

const docs = readFileSync(new URL('../../../docs/joins-and-counts.md', import.meta.url), 'utf8');

/** What the guide shows for a framework: the code between its fences. */
function shown(begin: string): string {
  const at = docs.indexOf(begin);
  return docs.slice(at, docs.indexOf('\n```', at));
}

const keysOf = (all: Iterable<readonly [string, unknown]> | undefined): string =>
  [...(all ?? [])]
    .map(([key]) => key)
    .sort()
    .join(' ');

describe('a collection in Vue', () => {
  // As the guide shows it.
  function useCollection<T>(collection: Collection<T>) {
    const source = toSignal(collection);
    const all = shallowRef(source());
    onScopeDispose(source.subscribe((value) => (all.value = value)));
    return all;
  }

  it('is a shallow ref, and lets go with its component', async () => {
    const pods = fakeCollection([pod('a')]);
    const container = window.document.createElement('div');
    const app = createApp({
      setup: () => {
        const all = useCollection(pods);
        return () => h('p', keysOf(all.value));
      },
    });
    app.mount(container as unknown as Element);
    pods.put(pod('b'));
    await nextTick();
    expect([container.textContent, pods.subscriptions()]).toEqual(['default/a default/b', 1]);
    app.unmount();
    expect(pods.subscriptions()).toBe(0);
    expect(docs).toContain('onScopeDispose(source.subscribe((value) => (all.value = value)))');
  });
});

describe('a collection in Svelte', () => {
  it('is a store: the component of the guide shows it, and lets go', async () => {
    const pods = fakeCollection([pod('a')]);
    const component = shown('<script>\n  import { toSignal }').replace(
      "import { toSignal } from '@rx-informer/views';",
      'const { toSignal, pods } = globalThis.given;',
    );
    const { js } = compile(component.replace(/import \{ pods \}.*\n/, ''), { generate: 'client', name: 'Pods' });
    const entry =
      "import { mount, unmount, flushSync } from 'svelte';\n" +
      js.code.replace('export default function', 'function') +
      '\nexport { Pods, mount, unmount, flushSync };';
    const bundled = await build({
      stdin: { contents: entry, resolveDir: join(process.cwd(), 'workshop') },
      ...{
        bundle: true,
        write: false,
        format: 'iife',
        globalName: 'made',
        platform: 'browser',
        conditions: ['browser', '@rx-informer/source'],
        logLevel: 'error',
      },
    });
    globals['given'] = { toSignal, pods };
    interface Made {
      readonly Pods: unknown;
      readonly mount: (component: unknown, options: object) => object;
      readonly unmount: (mounted: object) => void;
      readonly flushSync: () => void;
    }
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the component as a browser would load it
    const made = new Function(`${bundled.outputFiles[0]?.text ?? ''}\nreturn made;`)() as Made;
    const container = window.document.createElement('div');
    const mounted = made.mount(made.Pods, { target: container });
    made.flushSync();
    pods.put(pod('b'));
    made.flushSync();
    const shownKeys = [...container.querySelectorAll('p')].map(({ textContent }) => textContent).sort();
    expect([shownKeys, pods.subscriptions()]).toEqual([['default/a', 'default/b'], 1]);
    made.unmount(mounted);
    expect(pods.subscriptions()).toBe(0);
  });
});

describe('a collection in Angular', () => {
  // As the guide shows it.
  function collectionSignal<T>(collection: Collection<T>) {
    const source = toSignal(collection);
    const all = signal<IndexSnapshot<T> | undefined>(source());
    inject(DestroyRef).onDestroy(source.subscribe((value) => all.set(value)));
    return all.asReadonly();
  }

  it('is a signal, and lets go with what it was made in', () => {
    const pods = fakeCollection([pod('a')]);
    const injector = createEnvironmentInjector([], null as never);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- an abstract class, which its own factory does not extend
    const all = runInInjectionContext(injector, () => collectionSignal(pods));
    pods.put(pod('b'));
    expect([keysOf(all()), pods.subscriptions()]).toEqual(['default/a default/b', 1]);
    injector.destroy();
    expect(pods.subscriptions()).toBe(0);
    expect(docs).toContain('inject(DestroyRef).onDestroy(source.subscribe((value) => all.set(value)))');
  });
});
