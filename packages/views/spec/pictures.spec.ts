import { describe, it } from '@jest/globals';
import { map, type Observable } from 'rxjs';
import type { Collection, ResourceChange } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { runMarbles } from 'rx-informer/testing';
import { derive } from '../src/derive.js';
import { groupObjects } from '../src/groupObjects.js';
import { mergeViews } from '../src/mergeViews.js';
import { reduceObjects } from '../src/reduceObjects.js';
import { topObjects } from '../src/topObjects.js';
import type { MarblePicture } from '../../../spec/docs/marblePicture.js';
import * as viewPictures from '../../../spec/docs/viewPictures.js';

interface Pod {
  readonly name: string;
  readonly of: string;
}

const key = ({ name }: { readonly name: string }): string => name;
const everyPod = ['a', 'b', 'c'].flatMap((name) => ['web', 'db', 'n', 'm', '0', '1', '2', '3', '5'].map((of): Pod => ({ name, of })));
const byOf = ({ name, of }: Pod): string => `${name}(${of})`;
/** Pods by their names and what they belong to, as in `a(web) b(db)`; the same one for the same text. */
const podsOf = (text: string): Pod[] => everyPod.filter((pod) => text.split(' ').includes(byOf(pod)));
const namesOf = (pods: readonly Pod[]): string => pods.map(key).join('');

/** Changes as the pictures show them. */
function shown<T>({ change$ }: Collection<T>, show: (value: T, key: string) => string): Observable<string> {
  const signs = { added: '+', updated: '~', deleted: '−' };
  const text = ({ events }: ResourceChange<T>): string =>
    events.map((event) => `${signs[event.type]}${event.type === 'deleted' ? event.key : show(event.object, event.key)}`).join(' ');
  return change$.pipe(map(text));
}

type Scene = Parameters<Parameters<typeof runMarbles>[0]>[0];

/** The pods of a picture: their contents by the characters of the marbles, which have the labels of the picture. */
function scene({ inputs, labels }: MarblePicture<'pods'>, contents: Readonly<Record<string, string>>) {
  return ({ hot, expectObservable, scheduler }: Scene): Collection<Pod> => {
    const lists = hot(inputs.pods.trim(), Object.fromEntries(Object.entries(contents).map(([at, text]) => [at, podsOf(text)])));
    const pods = fakeCollection(lists, { key, scheduler });
    expectObservable(shown(pods, byOf)).toBe(inputs.pods, labels);
    return pods;
  };
}

describe('the pictures of views', () => {
  it('show a join', () => {
    const { inputs, outputs, labels } = viewPictures.deriveJoin;
    const pods = scene(viewPictures.deriveJoin, { p: 'a(web) b(db)', q: 'a(web) b(web)', r: 'b(web)' });
    runMarbles((helpers) => {
      const all = pods(helpers);
      const names = helpers.hot(inputs.services.trim(), { s: [{ name: 'web' }, { name: 'db' }] });
      const services = fakeCollection(names, { key, scheduler: helpers.scheduler });
      const backends = derive(services, ({ name }, read) => read(all, { filter: ({ of }) => of === name }));
      helpers.expectObservable(shown(services, key)).toBe(inputs.services, labels);
      helpers.expectObservable(shown(backends, (value, name) => `${name}:${namesOf(value)}`)).toBe(outputs.backends, labels);
    });
  });

  it('show that two ways to a value are one change of it', () => {
    const { inputs, outputs, labels } = viewPictures.deriveDiamond;
    runMarbles(({ hot, expectObservable, scheduler }) => {
      const contents = { p: [{ name: 'a', of: '1' }], q: [{ name: 'a', of: '2' }], r: [] };
      const pods = fakeCollection<Pod>(hot<Pod[]>(inputs.pods.trim(), contents), { key, scheduler });
      const [left, right] = [derive(pods, ({ of }) => of), derive(pods, ({ of }) => of)];
      const both = derive(pods, ({ name }, read) => `${read.get(left, name) ?? ''}|${read.get(right, name) ?? ''}`);
      const text = (value: string, name: string): string => `${name}${value}`;
      expectObservable(shown(pods, ({ of }, name) => text(of, name))).toBe(inputs.pods, labels);
      expectObservable(shown(left, text)).toBe(outputs.left, labels);
      expectObservable(shown(right, text)).toBe(outputs.right, labels);
      expectObservable(shown(both, text)).toBe(outputs.both, labels);
    });
  });

  it('show groups', () => {
    const pods = scene(viewPictures.groupObjects, { p: 'a(n) b(n) c(m)', q: 'a(n) b(n) c(n)', r: 'a(n) c(n)' });
    runMarbles((helpers) => {
      const byNode = groupObjects(pods(helpers), ({ of }) => of);
      const text = shown(byNode, ({ key: node, objects }) => `${node}:${namesOf(objects)}`);
      helpers.expectObservable(text).toBe(viewPictures.groupObjects.outputs['by node'], viewPictures.groupObjects.labels);
    });
  });

  it('show a total', () => {
    const pods = scene(viewPictures.reduceObjects, { p: 'a(1) b(2)', q: 'a(1) b(5)', r: 'b(5)' });
    runMarbles((helpers) => {
      const total = reduceObjects(pods(helpers), {
        initial: 0,
        add: (sum, { of }) => sum + Number(of),
        remove: (sum, { of }) => sum - Number(of),
      });
      const { outputs, labels } = viewPictures.reduceObjects;
      helpers.expectObservable(shown(total, (sum, name) => `${name}:${String(sum)}`)).toBe(outputs.total, labels);
    });
  });

  it('show the first of an order', () => {
    const pods = scene(viewPictures.topObjects, { p: 'a(3) b(1) c(2)', q: 'a(0) b(1) c(2)', r: 'a(0) c(2)' });
    runMarbles((helpers) => {
      const first = topObjects(pods(helpers), (a, b) => Number(a.of) - Number(b.of), { limit: 2 });
      helpers.expectObservable(shown(first, key)).toBe(viewPictures.topObjects.outputs['first two'], viewPictures.topObjects.labels);
    });
  });

  it('show collections that come and go', () => {
    const { inputs, outputs, labels } = viewPictures.mergeLists;
    runMarbles(({ hot, expectObservable }) => {
      const east = fakeCollection(podsOf('a(1) b(1)'), { key, name: 'east' });
      const west = fakeCollection(podsOf('c(1)'), { key, name: 'west' });
      const lists = hot(inputs.lists.trim(), { l: [east], m: [east, west], n: [west] });
      expectObservable(lists.pipe(map((list) => list.map(({ name }) => name).join(' ')))).toBe(inputs.lists, labels);
      expectObservable(shown(mergeViews(lists), key)).toBe(outputs.all, labels);
    });
  });
});
