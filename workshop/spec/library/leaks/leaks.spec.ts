import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { EMPTY, Subject, type Unsubscribable, VirtualTimeScheduler } from 'rxjs';
import { createInformer, groupByKey, type ResourceChange, type SharedInformer } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { entries } from '../../../tools/houses.js';
import { heldAfterCollection } from '../../../../spec/leaks/garbage.js';
import { type LeakPod, LeakPods } from '../../../../spec/leaks/leakPods.js';
import { leakCases } from '../../../../packages/controller/spec/leaks/operators.js';

const src = fileURLToPath(new URL('../../../../src/', import.meta.url));
const lives = 200;
/** A stateful operator may retain its last values. */
const mayBeKept = 3;

/** The names of all operators of an entry, by their files. */
function exportedOperators(): string[] {
  const names = new Set<string>();
  for (const entry of entries) {
    const text = readFileSync(entry.source, 'utf8');
    for (const [, list = '', file = ''] of text.matchAll(/^export \{([^}]*)\} from '([^']+)\.js'/gm)) {
      const source = readFileSync(join(dirname(entry.source), `${file}.ts`), 'utf8');
      for (const name of list.split(',').map((one) => one.trim())) {
        const declaration = new RegExp(`^export function ${name}\\b[^{;]*?(?:\\{[^}]*\\}[^{;]*?)*?\\): (MonoType)?OperatorFunction<`, 'm');
        if (/^\w+$/.test(name) && declaration.test(source)) names.add(name);
      }
    }
  }
  return [...names].sort();
}

/** What goes through an operator and ends before it does. */
function pushLives(pods: LeakPods, source$: Subject<never>, of: 'changes' | 'source'): void {
  const next = (value: ResourceChange<LeakPod> | SourceEvent<LeakPod>): void => source$.next(value as never);
  if (of === 'source') {
    next({ type: 'init', scope: '', reason: 'first', previousResourceVersion: '' });
    next({ type: 'ready', scope: '', resourceVersion: '1' });
  }
  for (let life = 0; life < lives; life += 1) {
    for (const value of of === 'changes' ? pods.changesOf(`pod-${life}`) : pods.sourceOf(`pod-${life}`)) next(value);
  }
}

describe('operators', () => {
  it('have a case each', () => {
    const found = exportedOperators();
    expect(found.length).toBeGreaterThan(15);
    expect(Object.keys(leakCases).sort()).toEqual(found);
  });

  it.each(Object.entries(leakCases))('%s keeps nothing of what is gone, and leaves its source', async (_, { of, make }) => {
    const pods = new LeakPods();
    const scheduler = new VirtualTimeScheduler();
    const source$ = new Subject<never>();
    let emitted = 0;
    const subscription = make(scheduler)(source$).subscribe(() => (emitted += 1));
    pushLives(pods, source$, of);
    const due = scheduler.actions.length;
    scheduler.maxFrames = 100_000;
    scheduler.flush();
    expect(await heldAfterCollection(pods.references, mayBeKept)).toBeLessThanOrEqual(mayBeKept);
    subscription.unsubscribe();
    expect([emitted > 0 || due > 0, source$.observed, scheduler.actions.filter(({ closed }) => !closed).length]).toEqual([true, false, 0]);
    expect(await heldAfterCollection(pods.references, of === 'source' ? mayBeKept : 0)).toBeLessThanOrEqual(
      of === 'source' ? mayBeKept : 0,
    );
  });

  it('groupByKey keeps nothing that tells a group of its end, once it has ended', async () => {
    const pods = new LeakPods();
    const source$ = new Subject<never>();
    const told = jest.spyOn(Subject.prototype, 'next');
    const subscription = source$.pipe(groupByKey()).subscribe();
    pushLives(pods, source$, 'changes');
    const subjects = [...new Set(told.mock.contexts)].map((subject) => new WeakRef(subject as object));
    told.mockRestore();
    // A group and its end, for each life.
    expect(subjects.length).toBeGreaterThanOrEqual(2 * lives);
    expect(await heldAfterCollection(subjects, mayBeKept)).toBeLessThanOrEqual(mayBeKept);
    subscription.unsubscribe();
  });
});

type Consume = (informer: SharedInformer<LeakPod>, listener: () => void) => Unsubscribable;

/** Every way to follow an informer. */
const consumers: Readonly<Record<string, Consume>> = {
  change$: (informer, listener) => informer.change$.subscribe(listener),
  resource$: (informer, listener) => informer.resource$.subscribe(listener),
  index$: (informer, listener) => informer.index$.subscribe(listener),
  health$: (informer, listener) => informer.health$.subscribe(listener),
  error$: (informer, listener) => informer.error$.subscribe(listener),
  events: (informer, listener) => informer.events({ sliceMs: 5 }).subscribe(listener),
  process: (informer, listener) => informer.process(() => EMPTY, { buffer: 'conflate' }).subscribe({ complete: listener }),
  addEventHandler: (informer, listener) => {
    const registration = informer.addEventHandler({ onAdd: listener, onUpdate: listener, onDelete: listener });
    return { unsubscribe: () => registration.remove() };
  },
};

describe('consumers of an informer', () => {
  it('have a case each', () => {
    const declared = ['collection', 'sharedInformer'].map((file) => readFileSync(`${src}informer/${file}.ts`, 'utf8')).join('\n');
    const streams = [...declared.matchAll(/^ {2}readonly (?!settled)(\w+\$): Observable</gm)].map(([, name]) => name);
    const methods = [...declared.matchAll(/^ {2}(\w+)(?:<\w+>)?\([^;]*\): (?:Observable|HandlerRegistration)\b/gm)].map(([, name]) => name);
    expect(Object.keys(consumers).sort()).toEqual([...new Set([...streams, ...methods])].sort());
  });

  it.each(Object.entries(consumers))('%s: nobody is held who has left, nor what was told', async (_, consume) => {
    const pods = new LeakPods();
    const source$ = new Subject<SourceEvent<LeakPod>>();
    const informer = createInformer<LeakPod>(source$, { onError: () => 'retry', scheduler: new VirtualTimeScheduler() });
    informer.start();
    const listeners: WeakRef<object>[] = [];
    const come = (): Unsubscribable => {
      const seen: number[] = [];
      const listener = (): unknown => seen.push(1);
      listeners.push(new WeakRef(listener));
      return consume(informer, listener);
    };
    const staying = come();
    for (let at = 0; at < 20; at += 1) come().unsubscribe();
    pushLives(pods, source$ as never, 'source');
    for (let at = 0; at < 20; at += 1) come().unsubscribe();
    // Of 41: the remaining one, and the one that was called last.
    expect(await heldAfterCollection(listeners, 2)).toBeLessThanOrEqual(2);
    expect(await heldAfterCollection(pods.references, mayBeKept)).toBeLessThanOrEqual(mayBeKept);
    staying.unsubscribe();
    expect(await heldAfterCollection(listeners, 1)).toBeLessThanOrEqual(1);
    await informer.stop();
    expect(source$.observed).toBe(false);
  });
});
