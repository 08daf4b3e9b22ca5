import { atMost, remark, type Row } from './benchmark.js';
import { micros, short } from './format.js';
import { type Contender, interleaved } from './rounds.js';

const graph = (options: object): Contender => ({ side: 'viewGraphs', options });

/** The limit per change for a count of a group, its first object, or whether any object matches. */
const hotLimitUs = 50;
/** The longest time for which a first fill may block the event loop. */
const blockLimitMs = 50;
/** The limit for 1,000 inputs of a union together. */
const manyLimitMs = 100;

const fills = ['groupObjects', 'derive', 'topObjects'] as const;
const counts = ['count', 'some', 'first', 'groupCount'] as const;

/** Deep, hot and wide graphs: chains of 10,000 views, groups of 20,000 objects, 1,000 inputs, first fills of 50,000 objects. CPU time. */
export async function graphRows(): Promise<readonly Row[]> {
  const contenders = {
    chain: graph({ shape: 'deep', count: 10_000 }),
    'short chain': graph({ shape: 'deep', count: 1_000 }),
    many: graph({ shape: 'many', count: 1_000 }),
    'half as many': graph({ shape: 'many', count: 500 }),
    'many informers': graph({ shape: 'many', count: 1_000, way: 'informers' }),
    'half as many informers': graph({ shape: 'many', count: 500, way: 'informers' }),
    ...Object.fromEntries([...counts, 'sum', 'total'].map((way) => [way, graph({ shape: 'hot', count: 20_000, way })])),
    ...Object.fromEntries(fills.map((way) => [way, graph({ shape: 'fill', count: 50_000, way })])),
  };
  const show = [
    'us',
    'ratio',
    'walkUs',
    'connectUs',
    'changeUs',
    'viewsMs',
    'viewsGrowMs',
    'clustersMs',
    'clustersGrowMs',
    'blockMs',
    'fillMs',
  ];
  const results = await interleaved(contenders, { rounds: 3, show });
  const of = (name: string, figure: string): number => results.of(name as keyof typeof contenders, figure);
  const manyRows = (
    [
      ['viewsMs', 'mergeViews', 'all at once'],
      ['viewsGrowMs', 'mergeViews', 'one by one'],
      ['clustersMs', 'mergeClusters', 'all at once'],
      ['clustersGrowMs', 'mergeClusters', 'one by one'],
    ] as const
  ).flatMap(([figure, union, how]) =>
    (['', ' informers'] as const).map((kind): Row => {
      const ms = of(`many${kind}`, figure);
      const half = short(of(`half as many${kind}`, figure));
      return atMost(
        `${union} of 1,000${kind || ' inputs'}, ${how}`,
        ms,
        manyLimitMs,
        `<= ${manyLimitMs} ms`,
        `${short(ms)} ms; of 500 ${half} ms`,
      );
    }),
  );
  return [
    ...(['connectUs', 'changeUs'] as const).map((figure) => {
      const [long, brief] = [of('chain', figure), of('short chain', figure)];
      const what = figure === 'connectUs' ? 'connecting it' : 'one change through it';
      return atMost(
        `a chain of 10,000 views, ${what}, per view`,
        long / brief,
        2,
        '<= 2 x a chain of 1,000',
        `${micros(long)} against ${micros(brief)}`,
      );
    }),
    ...counts.map((way) =>
      atMost(`a group of 20,000, one changes, \`${way}\` is read`, of(way, 'us'), hotLimitUs, `<= ${hotLimitUs} us`, micros(of(way, 'us'))),
    ),
    ...(['sum', 'total'] as const).map((way) => {
      const what = way === 'sum' ? 'all are added up' : 'reduceObjects without `remove`';
      const walk = `${micros(of(way, 'us'))} against ${micros(of(way, 'walkUs'))}`;
      return atMost(
        `a group of 20,000, one changes, ${what}`,
        of(way, 'ratio'),
        2,
        '<= 2 x a bare walk',
        `${short(of(way, 'ratio'))} x: ${walk}`,
      );
    }),
    ...manyRows,
    ...fills.map((way) =>
      atMost(
        `the first fill of ${way} over 50,000, longest block`,
        of(way, 'blockMs'),
        blockLimitMs,
        `<= ${blockLimitMs} ms`,
        `${short(of(way, 'blockMs'))} ms`,
      ),
    ),
    remark('the same fills, in all', fills.map((way) => `${way} ${short(of(way, 'fillMs'))} ms`).join(', ')),
  ];
}
