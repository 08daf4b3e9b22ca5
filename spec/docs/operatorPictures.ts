import { changeLabels, eventLabels, type MarblePicture } from './marblePicture.js';

// What the specs of the operators assert, drawn in docs/operators.md.

export const ofType: MarblePicture<'source', 'result'> = {
  call: "ofType('deleted', 'synced')",
  inputs: { source: '  -a-b-s-A-x-|' },
  outputs: { result: ' -----s---x-|' },
  labels: eventLabels,
};

export const filterObjects: MarblePicture<'source', 'result'> = {
  call: 'filterObjects((lamp) => lamp.on)',
  inputs: { source: '  -n-s-o-u-i-o-d-n-x-|' },
  outputs: { result: ' ---s-a-u-d-a-d-----|' },
  labels: { n: '+off', o: '~on', u: '~on', i: '~off', d: '−', x: '−', a: '+on', s: '✓' },
};

export const filterObjectsLive: MarblePicture<'source' | 'predicates', 'result'> = {
  call: 'filterObjects(predicates)',
  inputs: {
    source: '     -s-------------u-|',
    predicates: ' -----p---q---p----',
  },
  outputs: { result: ' -----s---v---w-u-|' },
  labels: { s: '+off', u: '~on', p: 'all', q: 'on', v: '−off', w: '+off' },
};

export const filterUpdates: MarblePicture<'source', 'result'> = {
  call: 'filterUpdates(generationChanged)',
  inputs: { source: '  --a-s-u-n-n-d-|' },
  outputs: { result: ' --a-s-u-----d-|' },
  labels: { a: '+1', u: '~2', n: '~2', d: '−2', s: '✓' },
};

export const conflateByKey: MarblePicture<'source', 'result'> = {
  call: 'conflateByKey({ periodMs: 10 })',
  inputs: { source: '  -e-a-A-b-y--------x----|' },
  outputs: { result: ' -e-----------m---------(x|)' },
  labels: { ...changeLabels, m: '+a' },
};

export const debounceByKey: MarblePicture<'source', 'result'> = {
  call: 'debounceByKey({ dueMs: 5, maxWaitMs: 10 })',
  inputs: { source: '  -e-a-------A--A--A--A--|' },
  outputs: { result: ' -e------a------------A-|' },
  labels: changeLabels,
};

export const resync: MarblePicture<'source', 'result'> = {
  call: 'resync({ periodMs: 9 })',
  inputs: { source: '  -s---------x--------|' },
  outputs: { result: ' -s-------1-x------2-|' },
  labels: { ...changeLabels, 1: '=a =b', 2: '=b' },
};

export const groupByKey: MarblePicture<'source', 'group a' | 'group b' | 'group a again'> = {
  call: 'groupByKey()',
  inputs: { source: '      -a-b-s-A-x-a-y-|' },
  outputs: {
    'group a': '       -a-----A-(x|)   ',
    'group b': '       ---b---------(y|)',
    'group a again': ' -----------a---|',
  },
  subscriptions: { 'group a': '-^', 'group b': '---^', 'group a again': '-----------^' },
  labels: eventLabels,
};

export const pairwiseByKey: MarblePicture<'source', 'result'> = {
  call: 'pairwiseByKey()',
  inputs: { source: '  -a-b-s-A---x-a-y---|' },
  outputs: { result: ' -------1---2---3---|' },
  labels: { ...eventLabels, 1: '+a ~a', 2: '~a −a', 3: '+b −b' },
};

export const untilDeleted: MarblePicture<'source', 'result'> = {
  call: "untilDeleted('a')",
  inputs: { source: '  -a-b-s-y-A-x-a-' },
  outputs: { result: ' -a-b-s-y-A-(x|)' },
  labels: eventLabels,
};

export const toMap: MarblePicture<'source', 'result'> = {
  call: 'toMap()',
  inputs: { source: '  -s---A---x---y---|' },
  outputs: { result: ' -1---2---3---4---|' },
  labels: { ...changeLabels, 1: 'a b', 2: "a' b", 3: 'b', 4: '∅' },
};

export const toObjects: MarblePicture<'source', 'result'> = {
  call: 'toObjects()',
  inputs: { source: '  -s---A---|' },
  outputs: { result: ' -1---2---|' },
  labels: { ...changeLabels, 1: '[a b]', 2: "[a' b]" },
};
