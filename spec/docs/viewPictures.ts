import type { MarblePicture } from './marblePicture.js';

// What pictures.spec.ts of the views asserts, marbles and labels, drawn in docs/joins-and-counts.md.

export const deriveJoin: MarblePicture<'services' | 'pods', 'backends'> = {
  call: 'derive(services, (service, read) => read(pods, …))',
  inputs: {
    services: '    ---s-----------------------------',
    pods: '        ----p---------q---------r--------',
  },
  outputs: { backends: '----x---------y---------z--------' },
  labels: { s: '+web +db', p: '+a(web) +b(db)', q: '~b(web)', r: '−a', x: '+db:b +web:a', y: '~db: ~web:ab', z: '~web:b' },
};

export const deriveDiamond: MarblePicture<'pods', 'left' | 'right' | 'both'> = {
  call: '[read.get(left, key), read.get(right, key)]',
  inputs: { pods: '  ---p------q------r---' },
  outputs: {
    left: '          ---l------m------n---',
    right: '         ---l------m------n---',
    both: '          ---x------y------z---',
  },
  labels: { p: '+a1', q: '~a2', r: '−a', l: '+a1', m: '~a2', n: '−a', x: '+a1|1', y: '~a2|2', z: '−a' },
};

export const groupObjects: MarblePicture<'pods', 'by node'> = {
  call: 'groupObjects(pods, ({ spec }) => spec?.nodeName)',
  inputs: { pods: '      ----p-----------q-----------r------' },
  outputs: { 'by node': '----x-----------y-----------z------' },
  labels: { p: '+a(n) +b(n) +c(m)', q: '~c(n)', r: '−b', x: '+n:ab +m:c', y: '−m ~n:abc', z: '~n:ac' },
};

export const reduceObjects: MarblePicture<'pods', 'total'> = {
  call: 'reduceObjects(pods, { initial: 0, add, remove })',
  inputs: { pods: '    ---p--------q--------r-----' },
  outputs: { total: '  ---x--------y--------z-----' },
  labels: { p: '+a(1) +b(2)', q: '~b(5)', r: '−a', x: '+total:3', y: '~total:6', z: '~total:5' },
};

export const topObjects: MarblePicture<'pods', 'first two'> = {
  call: 'topObjects(pods, byNumber, { limit: 2 })',
  inputs: { pods: '        ----p----------q---------r------' },
  outputs: { 'first two': '----x----------y---------z------' },
  labels: { p: '+a(3) +b(1) +c(2)', q: '~a(0)', r: '−b', x: '+b +c', y: '−c +a', z: '−b +c' },
};

export const mergeLists: MarblePicture<'lists', 'all'> = {
  call: 'mergeViews(lists)',
  inputs: { lists: ' ---l----------m----------n-----' },
  outputs: { all: '   ---x----------y----------z-----' },
  labels: { l: 'east', m: 'east west', n: 'west', x: '+a +b', y: '+c', z: '−a −b' },
};
