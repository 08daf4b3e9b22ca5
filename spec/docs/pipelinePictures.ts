import type { MarblePicture } from './marblePicture.js';

// What pipeline.spec.ts asserts of the parts of an informer, drawn in the README and the guides.

const told = { a: '+a', b: '+b', u: '~a', x: '−b', s: '✓' };

export const scanToIndex: MarblePicture<'source events', 'resource events'> = {
  call: 'scanToIndex(indexer)',
  inputs: { 'source events': '    i--p--r-----m--d---i--q--R----|' },
  outputs: { 'resource events': ' ------(abs)-u--x---------(yct)|' },
  labels: { ...told, i: 'init', p: 'a b', q: 'c', r: 'ready', R: 'ready', m: '~a', d: '−b', c: '+c', y: '−a', t: '✓' },
};

export const shareWithSnapshot: MarblePicture<'source events', 'first subscriber' | 'late subscriber'> = {
  call: 'scanToIndex(indexer), shareWithSnapshot(indexer)',
  inputs: { 'source events': ' i--p--r------m-------d---|' },
  outputs: {
    'first subscriber': '   ------(abs)--u-------x---|',
    'late subscriber': '    ---------------(Abt)-x---|',
  },
  subscriptions: { 'late subscriber': '---------------^' },
  labels: { ...told, i: 'init', p: 'a b', r: 'ready', m: '~a', d: '−b', A: "+a'", t: '✓' },
};

export const informer: MarblePicture<'server', 'resource$' | 'health$'> = {
  call: 'createInformer(server)',
  inputs: { server: '----------b-----o---x---u---y------------------------' },
  outputs: {
    resource$: '     ------(as)------b-------------------(xu)-----------',
    health$: '       l-----------w---------r-----r-------------w--------i',
  },
  labels: { ...told, o: 'down', y: 'up', i: 'idle', l: 'list', w: 'watch', r: 'retry' },
};
