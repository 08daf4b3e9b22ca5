import type { Mutant } from '../mutants.js';

/** A mutant, the exploration that finds it, and the violated invariant: each invariant has at least one mutant that violates it. */
interface ReflectorMutant extends Mutant {
  readonly by: 'lists' | 'pages' | 'unmatched' | 'restores' | 'streams' | 'periods' | 'wishes' | 'polls';
  readonly finds: string;
  /** Whether it is found so late that only a deep run looks for it. */
  readonly deep?: true;
}

/** What is wrong where nothing else is: all other mutants are found without it as well. */
export const goal = 'the goal is not reached';

const file = (name: string): string => `src/source/reflector/${name}.ts`;

/** What would go wrong if it were written like that. */
export const reflectorMutants: readonly ReflectorMutant[] = [
  {
    ...{
      name: 'a server is not doubted after a watch that broke off',
      by: 'lists',
      finds: 'trusts a server that was restored',
      file: file('watching'),
    },
    ...{ from: 'look?.version ?? (onTime ? undefined : version)', to: 'look?.version' },
  },
  {
    ...{
      name: 'a list in pages asks for exactly the version that has expired',
      by: 'pages',
      finds: 'asks for exactly a version',
      file: file('lists'),
    },
    ...{ from: "{ resourceVersionMatch: 'NotOlderThan', ...asked }", to: 'asked' },
  },
  {
    ...{ name: 'a version that has expired twice is asked for again', by: 'unmatched', finds: goal, file: file('watching') },
    ...{ from: 'versionUnavailable || version === expiredVersion', to: 'versionUnavailable' },
  },
  {
    ...{ name: 'an expired version is watched again', by: 'lists', finds: goal, file: file('watching') },
    ...{ from: 'passing.has(kind)', to: "passing.has(kind) || kind === 'expired'" },
  },
  {
    ...{
      name: 'a server that has gone back is trusted',
      by: 'restores',
      finds: 'trusts a server that was restored',
      file: file('watching'),
    },
    ...{ from: 'if (isOlderVersion(current, look.version)) {', to: 'if (current === undefined) {' },
  },
  {
    ...{
      name: 'a look that was sent to a server that is gone counts',
      by: 'restores',
      finds: 'trusts a server that was restored',
      file: file('watching'),
    },
    ...{ from: 'if (look.again) return', to: 'if (look.again && current === undefined) return' },
  },
  {
    ...{
      name: 'a look that failed is not repeated',
      by: 'lists',
      finds: 'a look is waited for that is not under way',
      file: file('watching'),
    },
    ...{ from: 'look: { ...state.look, asked: false, dueAt, failures }', to: 'look: { ...state.look, asked: true, dueAt, failures }' },
  },
  {
    ...{ name: 'a request that failed is not left', by: 'lists', finds: 'waiting has a watch under way', file: file('report') },
    ...{ from: "turn.effects.push({ do: 'leave' });", to: '' },
  },
  {
    ...{ name: 'a list does not bring its version', by: 'lists', finds: 'it says version', file: file('lists') },
    ...{ from: 'return { ...memory, version, versionUnavailable: false', to: 'return { ...memory, versionUnavailable: false' },
  },
  {
    ...{ name: 'a list is asked for at a version that the server has not', by: 'lists', finds: goal, file: file('lists') },
    ...{
      from: "return { type: 'begin', memory: reported, next: { type: 'list', reason: 'expired', plain: true, limit } };",
      to: "return report.retryLater(turn, memory, failure, { type: 'list', reason: 'error' });",
    },
  },
  {
    ...{ name: 'the state of the link is not told', by: 'lists', finds: goal, file: file('report') },
    ...{ from: "  report.emit(turn, { type: 'status', ...scopeOf(turn.context), state });\n", to: '' },
  },
  {
    ...{ name: 'a list that waits has no time', by: 'lists', finds: 'waiting waits for nothing', file: file('step') },
    ...{
      from: 'Math.min(state.dueAt, state.memory.relistAt) : state.dueAt;',
      to: 'Math.min(state.dueAt, state.memory.relistAt) : state.memory.relistAt;',
    },
  },
  {
    ...{
      name: 'events do not bring the version on',
      by: 'lists',
      finds: 'it says version 11, and has read up to 12',
      file: file('watching'),
    },
    ...{ from: 'return { ...state, ordered, version, look', to: 'return { ...state, ordered, look' },
  },
  {
    ...{
      name: 'a watch goes on where the last one began',
      by: 'lists',
      finds: 'it says version 11, and has read up to 12',
      file: file('watching'),
    },
    ...{ from: 'return { ...memory, version, doubtedAt', to: 'return { ...memory, version: state.startVersion, doubtedAt' },
  },
  {
    ...{
      name: 'a streamed list is not told to be complete',
      by: 'streams',
      finds: 'a bookmark comes inside of a list',
      file: file('streaming'),
    },
    ...{ from: '  report.ready(turn, version);\n', to: '' },
  },
  {
    ...{
      name: 'a stream that ended goes on beside the list',
      by: 'streams',
      finds: 'a list and a watch are under way at once',
      file: file('streaming'),
    },
    ...{ from: "  effects.push({ do: 'leave' });\n", to: '' },
  },
  {
    ...{
      name: 'a bookmark without the mark ends a streamed list',
      by: 'streams',
      finds: 'the cache has a 0 and b 0',
      file: file('streaming'),
    },
    ...{ from: "[initialEventsEndAnnotation] !== 'true'", to: "[initialEventsEndAnnotation] === 'false'" },
  },
  {
    ...{
      name: 'what the watch brought beside a list is lost',
      by: 'periods',
      finds: 'the cache has a 1 and b 2',
      deep: true,
      file: file('watching'),
    },
    ...{ from: 'above: back ? undefined : listed', to: 'above: undefined' },
  },
  {
    ...{
      name: 'a list beside is forgotten with the watch',
      by: 'periods',
      finds: 'a list beside is made for nothing',
      file: file('watching'),
    },
    ...{ from: "next: { type: 'watch', look, relistedFrom } }", to: "next: { type: 'watch', look } }" },
  },
  {
    ...{ name: 'a list is told without its beginning', by: 'lists', finds: 'page comes before any list', file: file('step') },
    ...{ from: '  report.init(turn, reason, memory);\n', to: '' },
  },
  {
    ...{ name: 'a page comes behind the end of a list', by: 'lists', finds: 'a page comes outside of a list', file: file('lists') },
    ...{ from: 'report.ready(turn, resourceVersion);', to: 'report.ready(turn, resourceVersion);\n  report.page(turn, []);' },
  },
  {
    ...{ name: 'a list beside the watch ends twice', by: 'periods', finds: 'a list ends that has not begun', file: file('watching') },
    ...{ from: 'report.ready(turn, reached);', to: 'report.ready(turn, reached);\n  report.ready(turn, reached);' },
  },
  {
    ...{
      name: 'a bookmark of a streamed list is told',
      by: 'streams',
      finds: 'a bookmark comes inside of a list',
      file: file('streaming'),
    },
    ...{
      from: "if (event.type === 'BOOKMARK') return",
      to: "if (event.type === 'BOOKMARK') report.bookmark(turn, '');\n  if (event.type === 'BOOKMARK') return",
    },
  },
  {
    ...{
      name: 'a watch is not asked for while the server is in doubt',
      by: 'lists',
      finds: 'watching waits for a watch that is not under way',
      file: file('step'),
    },
    ...{ from: "effects.push({ do: 'watch', request });", to: "if (doubtedAt === undefined) effects.push({ do: 'watch', request });" },
  },
  {
    ...{ name: 'a list that begins anew is asked for once more', by: 'lists', finds: 'waiting has a list under way', file: file('lists') },
    ...{
      from: 'return { ...state, memory };',
      to: "return { type: 'waiting', ...report.retry(turn, memory, { code: 'ERR_LIST', what }, 1), next: { type: 'list', reason: 'error' } };",
    },
  },
  {
    ...{
      name: 'a watch that is closed at once is repeated at once',
      by: 'lists',
      finds: '5 requests are sent at once',
      file: file('watching'),
    },
    ...{ from: 'const isAtOnce = lastedMs >= turn.context.settings.veryShortWatchMs ||', to: 'const isAtOnce = lastedMs >= 0 ||' },
  },
  {
    ...{
      name: 'a list beside is waited for that ended with the watch',
      by: 'periods',
      finds: 'a list beside is waited for',
      file: file('watching'),
    },
    ...{
      from: 'relistedFrom === undefined ? memory : { ...memory, relistAt: turn.at }, failure, next',
      to: "memory, failure, next.type === 'watch' ? { ...next, relistedFrom } : next",
    },
  },
  {
    ...{ name: 'a look that was sent is not noted', by: 'lists', finds: 'a look is under way for nothing', file: file('watching') },
    ...{ from: 'look: { ...look, asked: true, version:', to: 'look: { ...look, asked: false, version:' },
  },
  {
    ...{
      name: 'health says that it lists while it waits',
      by: 'lists',
      finds: 'health says listing, and it is waiting',
      file: file('report'),
    },
    ...{ from: "{ state: 'retrying', attempt, nextAttemptAt: dueAt }", to: '{ attempt, nextAttemptAt: dueAt }' },
  },
  {
    ...{
      name: 'health says another time than that of the next attempt',
      by: 'lists',
      finds: 'health says that it tries again at',
      file: file('report'),
    },
    ...{ from: "{ state: 'retrying', attempt, nextAttemptAt: dueAt }", to: "{ state: 'retrying', attempt, nextAttemptAt: turn.at }" },
  },
  {
    ...{ name: 'health goes on to say that it waits', by: 'lists', finds: 'health says retrying, and it is listing', file: file('step') },
    ...{ from: "const memory = report.link(turn, before, 'listing');", to: 'const memory = before;' },
  },
  {
    ...{
      name: 'a silent watch is repeated later, and nobody is told',
      by: 'lists',
      finds: 'health says watching, and it is waiting',
      file: file('watching'),
    },
    ...{
      from: 'if (state.openedAt !== undefined) return rewatch(state, memory);',
      to: "turn.effects.push({ do: 'leave' });\n    if (state.openedAt !== undefined) return { type: 'waiting', memory, dueAt: turn.at + 1000, next: { type: 'watch' } };",
    },
  },
  {
    ...{ name: 'a list beside the watch is forgotten where the watch fails', by: 'wishes', finds: goal, file: file('watching') },
    ...{ from: 'relistedFrom === undefined ? memory : { ...memory, relistAt: turn.at }', to: 'memory' },
  },
  {
    ...{ name: 'a list that is wanted while the reflector waits is forgotten', by: 'wishes', finds: goal, file: file('step') },
    ...{ from: 'isUnderWay ? state', to: "isUnderWay || state.type === 'waiting' ? state" },
  },
];
