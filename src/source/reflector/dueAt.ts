import type { State } from './state.js';

/**
 * When a state wants to be told that its time has come; `Infinity` for never.
 *
 * @internal
 */
export function dueAt(state: State): number {
  switch (state.type) {
    case 'listing':
      return Infinity;
    case 'streaming':
      return state.dueAt;
    case 'waiting':
      return state.next.type === 'watch' ? Math.min(state.dueAt, state.memory.relistAt) : state.dueAt;
    case 'watching': {
      const { look, memory } = state;
      return Math.min(state.dueAt, memory.relistAt, look === undefined || look.asked ? Infinity : look.dueAt);
    }
  }
}
