import * as operatorPictures from '../../../spec/docs/operatorPictures.js';

/** A program of the playground. */
export interface Snippet {
  /** Its subject: a name of the API, or of a picture of the guides. */
  readonly name: string;
  readonly group: string;
  readonly code: string;
}

const head = `import { FakeListerWatcher, pod } from 'rx-informer/testing';
import { at, show } from 'playground';
`;

/** A server with pods, an informer of them, and a way to write a pod of a phase on a node. */
const settingWith = (options: string): string => `
const server = new FakeListerWatcher();
const pods = createInformer(server${options});
`;

const withPhase = `const withPhase = (name, phase) => pod(name, { status: { phase } });
`;
const twoPhases = `server.add(withPhase('a', 'Running'));
server.add(withPhase('b', 'Pending'));
`;

function snippet(group: string, name: string, rxInformer: string, body: string, more = '', options = ''): Snippet {
  const names = ['createInformer', ...rxInformer.split(' ')].filter((each) => each !== '').sort((a, b) => a.localeCompare(b));
  const [, own = '', rest = ''] = /^((?:import .*\n+)*)([^]*)$/.exec(body.trim()) ?? [];
  const imports = `import { ${names.join(', ')} } from 'rx-informer';\n${more}${head}${own.trim() === '' ? '' : `${own.trim()}\n`}`;
  return { name, group, code: `${imports}${settingWith(options)}${rest}\n` };
}

function view(name: string, body: string, imports = '', rxInformer = ''): Snippet {
  const names = [name, ...imports.split(' ')].filter((each) => each !== '').sort((a, b) => a.localeCompare(b));
  return snippet('Views', name, rxInformer, body, `import { ${names.join(', ')} } from '@rx-informer/views';\n`);
}

const phases = `
at(1, () => server.modify(withPhase('b', 'Running')));
at(2, () => server.add(withPhase('c', 'Running')));
at(3, () => server.modify(withPhase('a', 'Failed')));
at(4, () => server.delete('default/c'));`;

/** Programs for the operators that have a picture in the guides, but no program of their own. */
function picturedSnippets(pictures: Readonly<Record<string, { readonly call: string }>>, written: readonly Snippet[]): Snippet[] {
  const missing = Object.entries(pictures).filter(([name]) => !written.some((own) => own.name === name));
  return missing.map(([name, { call }]) =>
    snippet(
      'More operators',
      name,
      /^\w+/.exec(call)?.[0] ?? name,
      `server.add(pod('a'));
server.add(pod('b'));
show('change$', pods.change$);
show(${JSON.stringify(call)}, pods.change$.pipe(${call}));

at(1, () => server.add(pod('c')));
at(2, () => server.modify(pod('a')));
at(3, () => server.delete('default/b'));`,
    ),
  );
}

const written: readonly Snippet[] = [
  snippet(
    'Informers',
    'informer',
    '',
    `server.add(pod('a'));
show('resource$', pods.resource$);
show('health$', pods.health$);

at(1, () => server.add(pod('b')));
at(2, () => server.stop()); // the server goes down
at(3, () => server.delete('default/b')); // and much happens there
at(3.5, () => server.modify(pod('a')));
at(3.6, () => server.start());`,
    '',
    ", { backoff: { initialMs: 300 }, onError: () => 'retry' }",
  ),
  snippet(
    'Informers',
    'shareWithSnapshot',
    '',
    `server.add(pod('a'));
server.add(pod('b'));
show('first subscriber', pods.resource$);
at(2, () => show('late subscriber', pods.resource$)); // first what is there, then what happens

at(1, () => server.modify(pod('a')));
at(3, () => server.delete('default/b'));`,
  ),
  snippet(
    'Informers',
    'relist',
    '',
    `server.add(pod('a'));
server.add(pod('b'));
show('change$', pods.change$);
show('index$', pods.index$);

// Two changes that no watch sees, then an expired history: the next list is one change.
at(2, () => server.loseEvents(() => {
  server.delete('default/a');
  server.add(pod('c'));
}));
at(3, () => server.expire());`,
  ),
  snippet(
    'Choosing',
    'filterObjects',
    'filterObjects toMap',
    `${withPhase}${twoPhases}
show('change$', pods.change$);
const running = pods.change$.pipe(filterObjects((pod) => pod.status.phase === 'Running'));
show('running', running);
show('as a map', running.pipe(toMap()));
${phases}`,
  ),
  snippet(
    'Choosing',
    'filterObjectsLive',
    'filterObjects',
    `import { BehaviorSubject } from 'rxjs';

${withPhase}const wanted = new BehaviorSubject((pod) => true);
server.add(withPhase('a', 'Running'));
server.add(withPhase('b', 'Pending'));
show('change$', pods.change$);
show('wanted', pods.change$.pipe(filterObjects(wanted)));

at(2, () => wanted.next((pod) => pod.status.phase === 'Running'));
at(3, () => server.modify(withPhase('b', 'Running')));
at(4, () => wanted.next((pod) => pod.metadata.name === 'b'));`,
  ),
  snippet(
    'Choosing',
    'withLabels',
    'withLabels',
    `const labelled = (name, app) => pod(name, { metadata: { labels: { app } } });
server.add(labelled('a', 'web'));
server.add(labelled('b', 'db'));
show('change$', pods.change$);
show('app=web', pods.change$.pipe(withLabels('app=web')));

at(1, () => server.modify(labelled('b', 'web')));
at(2, () => server.modify(labelled('a', 'db')));
at(3, () => server.delete('default/b'));`,
  ),
  snippet(
    'Choosing',
    'inNamespaces',
    'inNamespaces',
    `server.add(pod('shop/a'));
server.add(pod('bank/b'));
show('change$', pods.change$);
show('shop', pods.change$.pipe(inNamespaces('shop')));

at(1, () => server.modify(pod('shop/a')));
at(2, () => server.modify(pod('bank/b')));
at(3, () => server.delete('shop/a'));`,
  ),
  snippet(
    'Choosing',
    'ownedBy',
    'ownedBy',
    `const owned = (name, uid) =>
  pod(name, { metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true }] } });
server.add(owned('a', 'the-uid'));
server.add(owned('b', 'another'));
show('change$', pods.change$);
show('of the set', pods.change$.pipe(ownedBy({ metadata: { uid: 'the-uid' } })));

at(1, () => server.modify(owned('b', 'the-uid')));
at(2, () => server.delete('default/a'));`,
  ),
  snippet(
    'Choosing',
    'filterUpdates',
    'filterUpdates statusChanged',
    `${withPhase}
server.add(withPhase('a', 'Pending'));
show('change$', pods.change$);
show('status changed', pods.change$.pipe(filterUpdates(statusChanged)));

at(1, () => server.modify(pod('a', { metadata: { labels: { tier: 'front' } }, status: { phase: 'Pending' } })));
at(2, () => server.modify(withPhase('a', 'Running')));
at(3, () => server.delete('default/a'));`,
  ),
  snippet(
    'Choosing',
    'ofType',
    'ofType',
    `server.add(pod('a'));
show('resource$', pods.resource$);
show('deleted', pods.resource$.pipe(ofType('deleted')));

at(1, () => server.modify(pod('a')));
at(2, () => server.delete('default/a'));
at(3, () => server.add(pod('a')));
at(4, () => server.delete('default/a'));`,
  ),
  snippet(
    'Choosing',
    'untilDeleted',
    'untilDeleted',
    `server.add(pod('a'));
show('resource$', pods.resource$);
show("until 'a' is deleted", pods.resource$.pipe(untilDeleted('default/a')));

at(1, () => server.add(pod('b')));
at(2, () => server.modify(pod('a')));
at(3, () => server.delete('default/a'));
at(4, () => server.modify(pod('b')));`,
  ),
  snippet(
    'Time',
    'conflateByKey',
    'conflateByKey',
    `server.add(pod('a'));
server.add(pod('b'));
show('change$', pods.change$);
show('once a second', pods.change$.pipe(conflateByKey({ periodMs: 1_000 })));

for (const second of [0.5, 0.8, 1.1, 1.4, 2.6, 2.9, 3.2]) at(second, () => server.modify(pod('a')));
at(3, () => server.delete('default/b'));`,
  ),
  snippet(
    'Time',
    'debounceByKey',
    'debounceByKey',
    `server.add(pod('a'));
server.add(pod('b'));
show('change$', pods.change$);
show('quiet for 0.5 s', pods.change$.pipe(debounceByKey({ dueMs: 500, maxWaitMs: 2_000 })));

for (const second of [0.5, 0.8, 1.1]) at(second, () => server.modify(pod('a')));
at(3, () => server.modify(pod('b')));`,
  ),
  snippet(
    'Time',
    'resync',
    'resync',
    `server.add(pod('a'));
show('change$', pods.change$);
show('every 2.5 s again', pods.change$.pipe(resync({ periodMs: 2_500 })));

at(1, () => server.add(pod('b')));
at(3, () => server.delete('default/a'));`,
  ),
  snippet(
    'By object',
    'groupByKey',
    'groupByKey',
    `import { map, mergeMap, scan } from 'rxjs';

server.add(pod('a'));
server.add(pod('b'));
show('resource$', pods.resource$);
show(
  'changes of each',
  pods.resource$.pipe(
    groupByKey(),
    mergeMap((object$) => object$.pipe(scan((count) => count + 1, 0), map((count) => object$.key.slice(8) + ': ' + count))),
  ),
);

at(1, () => server.modify(pod('a')));
at(2, () => server.modify(pod('b')));
at(3, () => server.delete('default/a'));
at(4, () => server.add(pod('a')));`,
  ),
  snippet(
    'By object',
    'pairwiseByKey',
    'pairwiseByKey',
    `import { map } from 'rxjs';

${withPhase}const phaseOf = ({ object }) => object.status?.phase;
server.add(withPhase('a', 'Pending'));
server.add(withPhase('b', 'Pending'));
show('resource$', pods.resource$);
show('from, to', pods.resource$.pipe(pairwiseByKey(), map(([before, after]) => phaseOf(before) + ' → ' + phaseOf(after))));

at(1.5, () => server.modify(withPhase('a', 'Running')));
at(3, () => server.modify(withPhase('b', 'Failed')));
at(4.5, () => server.modify(withPhase('a', 'Succeeded')));`,
  ),
  snippet(
    'Collections',
    'toMap',
    'toMap',
    `server.add(pod('a'));
server.add(pod('b'));
show('change$', pods.change$);
show('toMap()', pods.change$.pipe(toMap()));

at(1, () => server.add(pod('c')));
at(2, () => server.modify(pod('a')));
at(3, () => server.delete('default/b'));`,
  ),
  snippet(
    'Collections',
    'toObjects',
    'toObjects',
    `server.add(pod('a'));
server.add(pod('b'));
show('change$', pods.change$);
show('toObjects()', pods.change$.pipe(toObjects()));

at(1, () => server.add(pod('c')));
at(3, () => server.delete('default/b'));`,
  ),
  view(
    'derive',
    `const claims = new FakeListerWatcher();
const services = createInformer(claims);
const service = (name) => ({ metadata: { namespace: 'default', name }, spec: { selector: { app: name } } });
const labelled = (name, app) => pod(name, { metadata: { labels: { app } } });
const backends = derive(services, (service, read) =>
  read(pods, { labelSelector: service.spec.selector }).map((pod) => pod.metadata.name).join(' ') || 'none');
claims.add(service('web'));
claims.add(service('db'));
server.add(labelled('a', 'web'));
show('services', services.change$);
show('pods', pods.change$);
show('backends', backends.change$);

at(1, () => server.add(labelled('b', 'db')));
at(2, () => server.modify(labelled('b', 'web'))); // two services change, in one step
at(3, () => server.delete('default/a'));
at(4, () => claims.delete('default/db'));`,
  ),
  view(
    'deriveMany',
    `const two = deriveMany(pods, (pod) => pod.spec.containers.map(({ name }) => pod.metadata.name + '-' + name), { key: (name) => name });
const containing = (name, ...names) => pod(name, { spec: { containers: names.map((name) => ({ name, image: 'nginx' })) } });
server.add(containing('a', 'main'));
show('pods', pods.change$);
show('containers', two.change$);

at(1, () => server.add(containing('b', 'main', 'log')));
at(2, () => server.modify(containing('a', 'main', 'log')));
at(3, () => server.delete('default/b'));`,
  ),
  view(
    'groupObjects',
    `const onNode = (name, nodeName) => pod(name, { spec: { nodeName } });
const byNode = groupObjects(pods, (pod) => pod.spec.nodeName);
server.add(onNode('a', 'n1'));
show('pods', pods.change$);
show('groups', byNode.change$);

at(1, () => server.add(onNode('b', 'n1')));
at(2, () => server.add(onNode('c', 'n2')));
at(3, () => server.delete('default/c'));`,
  ),
  view(
    'reduceObjects',
    `${withPhase}const count = reduceObjects(pods, {
  initial: 0,
  add: (count) => count + 1,
  remove: (count) => count - 1,
  groupBy: (pod) => pod.status.phase,
});
${twoPhases}
show('pods', pods.change$);
show('per phase', count.change$);
${phases}`,
  ),
  view(
    'topObjects',
    `const restarts = (name, count) => pod(name, { metadata: { annotations: { restarts: String(count) } } });
const of = (pod) => Number(pod.metadata.annotations.restarts);
const worst = topObjects(pods, (a, b) => of(b) - of(a), { limit: 2 });
server.add(restarts('a', 1));
server.add(restarts('b', 2));
show('pods', pods.change$);
show('the worst two', worst.change$);

at(1, () => server.add(restarts('c', 3)));
at(2, () => server.modify(restarts('a', 9)));
at(3, () => server.delete('default/c'));`,
  ),
  view(
    'mergeViews',
    `const elsewhere = new FakeListerWatcher();
const others = createInformer(elsewhere, { name: 'others' });
server.add(pod('a'));
elsewhere.add(pod('b'));
show('here', pods.change$);
show('elsewhere', others.change$);
show('both', mergeViews([pods, others]).change$);

at(1, () => elsewhere.add(pod('c')));
at(2, () => server.delete('default/a'));
at(3, () => elsewhere.delete('default/b'));`,
  ),
  view(
    'objectsByIndex',
    `const onNode = (name, nodeName) => pod(name, { spec: { nodeName } });
pods.addIndexers({ node: (pod) => [pod.spec.nodeName] });
server.add(onNode('a', 'n1'));
server.add(onNode('b', 'n2'));
show('pods', pods.change$);
show('on n1', objectsByIndex(pods, 'node', 'n1').change$);

at(1, () => server.add(onNode('c', 'n1')));
at(2, () => server.delete('default/a'));`,
  ),
];

/** The programs of the playground, in the order of its menu. */
export const playgroundSnippets: readonly Snippet[] = [...written, ...picturedSnippets(operatorPictures, written)];
