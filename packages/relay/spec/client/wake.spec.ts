import { afterEach, describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { fakeCollection } from '@rx-informer/views/testing';
import { advanceBy, pod } from 'rx-informer/testing';
import { Link, objects, pageSource, relayCore } from '../link.js';

const globals = globalThis as Record<string, unknown>;
const names = ['document', 'addEventListener', 'removeEventListener'] as const;
const before = names.map((name) => Object.getOwnPropertyDescriptor(globals, name));
afterEach(() => {
  names.forEach((name, at) => {
    const descriptor = before[at];
    if (descriptor === undefined) Reflect.deleteProperty(globals, name);
    else Object.defineProperty(globals, name, descriptor);
  });
});

/** A page with the events of a browser. */
function pageOf() {
  const target = new EventTarget();
  const document = { visibilityState: 'visible' };
  for (const [name, value] of Object.entries({
    document,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  }))
    Object.defineProperty(globals, name, { value, configurable: true });
  const scheduler = new VirtualTimeScheduler();
  const cache = fakeCollection([pod('a')], { name: 'objects', scheduler });
  const core = relayCore({ scheduler, sources: { objects: { collection: cache, resource: objects } } });
  const link = new Link(core);
  const following = pageSource(link, scheduler, { kind: 'objects' }).subscribe();
  const emit = (type: string, more: object = {}): void => void target.dispatchEvent(Object.assign(new Event(type), more));
  advanceBy(scheduler, 1_000);
  return { scheduler, core, link, document, emit, following };
}

describe('a page of a relay', () => {
  it.each(['online', 'pageshow', 'visibilitychange'])('connects again within half a second at `%s`, whatever it waits for', (type) => {
    const { scheduler, core, link, emit, following } = pageOf();
    link.core = undefined;
    link.cut();
    advanceBy(scheduler, 45_000);
    link.core = core;
    const asked = link.requests.length;
    emit(type);
    advanceBy(scheduler, 500);
    expect([link.requests.length - asked, link.streams()]).toEqual([1, 1]);
    following.unsubscribe();
    emit(type);
    advanceBy(scheduler, 60_000);
    expect(link.streams()).toBe(0);
    core.stop();
  });

  it('leaves a stream alone that works, and a hidden page', () => {
    const { scheduler, core, link, document, emit, following } = pageOf();
    advanceBy(scheduler, 20_000);
    const asked = link.requests.length;
    emit('online');
    emit('pageshow');
    document.visibilityState = 'hidden';
    emit('visibilitychange');
    advanceBy(scheduler, 5_000);
    expect(link.requests.length).toBe(asked);
    following.unsubscribe();
    core.stop();
  });

  it('has no stream while the browser keeps it, and goes on when it is shown again', () => {
    const { scheduler, core, link, emit, following } = pageOf();
    emit('pagehide', { persisted: true });
    expect(link.streams()).toBe(0);
    advanceBy(scheduler, 60_000);
    expect(link.streams()).toBe(0);
    emit('pageshow', { persisted: true });
    advanceBy(scheduler, 500);
    expect(link.streams()).toBe(1);
    expect(link.requests.at(-1)).toContain('"token"');
    following.unsubscribe();
    core.stop();
  });

  it('goes on when it is shown again right after it has connected', () => {
    const { scheduler, core, link, emit, following } = pageOf();
    link.cut();
    while (link.streams() === 0) advanceBy(scheduler, 10);
    emit('pagehide', { persisted: true });
    emit('pageshow', { persisted: true });
    advanceBy(scheduler, 1_000);
    expect(link.streams()).toBe(1);
    following.unsubscribe();
    core.stop();
  });

  it('does not wait for long when it is online right after an attempt has failed', () => {
    const { scheduler, core, link, emit, following } = pageOf();
    link.core = undefined;
    link.cut();
    const asked = link.requests.length;
    while (link.requests.length < asked + 5) advanceBy(scheduler, 10);
    link.core = core;
    emit('online');
    advanceBy(scheduler, 1_000);
    expect(link.streams()).toBe(1);
    following.unsubscribe();
    core.stop();
  });

  it('keeps the time that a refusal asks for, also in the cache of the browser', () => {
    const { scheduler, core, link, emit, following } = pageOf();
    const { headers } = link;
    link.headers = { host: 'elsewhere.example' };
    link.cut();
    advanceBy(scheduler, 10_000);
    const asked = link.requests.length;
    emit('pagehide', { persisted: true });
    emit('pageshow', { persisted: true });
    link.headers = headers;
    advanceBy(scheduler, 600);
    expect(link.requests.length).toBe(asked);
    advanceBy(scheduler, 60_000);
    expect(link.streams()).toBe(1);
    following.unsubscribe();
    core.stop();
  });
});
