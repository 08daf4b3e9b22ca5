import type { Mutant } from '../mutants.js';

/** A mutant, and the exploration that finds it. */
interface ReflectorMutant extends Mutant {
  readonly by: 'lists' | 'restores' | 'streams' | 'periods';
}

const file = (name: string): string => `source/reflector/${name}.ts`;

/** What would go wrong if it were written like that. */
export const reflectorMutants: readonly ReflectorMutant[] = [
  {
    ...{ name: 'a server is not doubted after a watch that broke off', by: 'lists', file: file('watching') },
    ...{ from: 'look?.version ?? (onTime ? undefined : version)', to: 'look?.version' },
  },
  {
    ...{ name: 'an expired version is watched again', by: 'lists', file: file('watching') },
    ...{ from: "    case 'connection':\n      return", to: "    case 'connection':\n    case 'expired':\n      return" },
  },
  {
    ...{ name: 'a server that has gone back is trusted', by: 'lists', file: file('watching') },
    ...{ from: 'if (watchLine.hasGoneBack(current, look.version)) {', to: 'if (current === undefined) {' },
  },
  {
    ...{ name: 'a look that was sent to a server that is gone counts', by: 'restores', file: file('watching') },
    ...{ from: 'if (look.again) return', to: 'if (look.again && current === undefined) return' },
  },
  {
    ...{ name: 'a look that failed is not repeated', by: 'lists', file: file('watching') },
    ...{ from: 'look: { ...state.look, asked: false, dueAt, failures }', to: 'look: { ...state.look, asked: true, dueAt, failures }' },
  },
  {
    ...{ name: 'a request that failed is not left', by: 'lists', file: file('tell') },
    ...{ from: "turn.effects.push({ do: 'leave' });", to: '' },
  },
  {
    ...{ name: 'a list does not bring its version', by: 'lists', file: file('lists') },
    ...{ from: 'return { ...memory, version, versionUnavailable: false', to: 'return { ...memory, versionUnavailable: false' },
  },
  {
    ...{ name: 'a list is asked for at a version that the server has not', by: 'lists', file: file('lists') },
    ...{
      from: "return { type: 'begin', memory: told, next: { type: 'list', reason: 'expired', plain: true, limit } };",
      to: "return tell.retryLater(turn, memory, failure, { type: 'list', reason: 'error' });",
    },
  },
  {
    ...{ name: 'the state of the link is not told', by: 'lists', file: file('tell') },
    ...{ from: "  tell.emit(turn, { type: 'status', ...scopeOf(turn.context), state });\n", to: '' },
  },
  {
    ...{ name: 'a list that waits has no time', by: 'lists', file: file('step') },
    ...{
      from: 'Math.min(state.dueAt, state.memory.relistAt) : state.dueAt;',
      to: 'Math.min(state.dueAt, state.memory.relistAt) : state.memory.relistAt;',
    },
  },
  {
    ...{ name: 'events do not bring the version on', by: 'lists', file: file('watching') },
    ...{ from: 'return { ...state, ordered, version, look', to: 'return { ...state, ordered, look' },
  },
  {
    ...{ name: 'a watch goes on where the last one began', by: 'lists', file: file('watching') },
    ...{ from: 'return { ...memory, version, doubtedAt', to: 'return { ...memory, version: state.startVersion, doubtedAt' },
  },
  {
    ...{ name: 'a streamed list is not told to be complete', by: 'streams', file: file('streaming') },
    ...{ from: '  tell.ready(turn, version);\n', to: '' },
  },
  {
    ...{ name: 'a stream that ended goes on beside the list', by: 'streams', file: file('streaming') },
    ...{ from: "  effects.push({ do: 'leave' });\n", to: '' },
  },
  {
    ...{ name: 'a bookmark without the mark ends a streamed list', by: 'streams', file: file('streaming') },
    ...{ from: "[initialEventsEndAnnotation] !== 'true'", to: "[initialEventsEndAnnotation] === 'false'" },
  },
  {
    ...{ name: 'what the watch brought beside a list is lost', by: 'periods', file: file('watching') },
    ...{ from: 'above: back ? undefined : listed', to: 'above: undefined' },
  },
  {
    ...{ name: 'a list beside is forgotten with the watch', by: 'periods', file: file('watching') },
    ...{ from: "next: { type: 'watch', look, relistedFrom } }", to: "next: { type: 'watch', look } }" },
  },
];
