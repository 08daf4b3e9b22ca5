import { getEventListeners } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { NEVER } from 'rxjs';
import { onAbort } from '../../src/api/onAbort.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { createWorkQueue } from '../../src/workqueue/createWorkQueue.js';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('gives a signal one listener, whatever waits for it, and none when nothing does', () => {
    const { signal } = new AbortController();
    const forget = Array.from({ length: 40 }, () => onAbort(signal, () => undefined));
    expect(listenersOf(signal)).toBe(1);
    forget.forEach((each) => each());
    expect(listenersOf(signal)).toBe(0);
  });

  it('calls every action once, in order, and those that are forgotten not at all', () => {
    const controller = new AbortController();
    const called: string[] = [];
    const twice = (): unknown => called.push('twice');
    const forget = [onAbort(controller.signal, () => called.push('a')), onAbort(controller.signal, () => called.push('b'))];
    onAbort(controller.signal, twice);
    onAbort(controller.signal, twice)();
    forget[0]?.();
    forget[0]?.();
    controller.abort();
    controller.abort();
    forget[1]?.();
    expect(called).toEqual(['b', 'twice']);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it('calls at once for a signal that is aborted', () => {
    const action = jest.fn();
    onAbort(AbortSignal.abort(), action)();
    expect(action).toHaveBeenCalledTimes(1);
  });

  it('calls the others when one throws, and forgets while it calls', () => {
    let abort = (): void => undefined;
    const target = {
      aborted: false,
      addEventListener: (_: string, listener: () => void) => (abort = listener),
      removeEventListener: () => undefined,
    } as unknown as AbortSignal;
    const called: string[] = [];
    onAbort(target, () => {
      called.push('a');
      forgetC();
      throw new Error('a is broken');
    });
    onAbort(target, () => called.push('b'));
    const forgetC = onAbort(target, () => called.push('c'));
    expect(() => abort()).toThrow('a is broken');
    expect(called).toEqual(['a', 'b']);
  });
});

describe('one signal for many calls', () => {
  it('gets one listener', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const queue = createWorkQueue<string>();
    const informer = createInformer({ list: () => NEVER, watch: () => NEVER }, { logger: { warn: () => undefined } });
    const calls = Array.from({ length: 12 }, () => [queue.get({ signal }), informer.whenSynced({ signal })]).flat();
    expect(listenersOf(signal)).toBe(1);
    controller.abort(new Error('enough'));
    const results = await Promise.allSettled(calls);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(listenersOf(signal)).toBe(0);
    await informer.stop();
  });
});
