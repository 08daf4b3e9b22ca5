import type { Mutant } from '../../../../../spec/exhaustive/mutants.js';

const file = 'packages/relay/src/log/cursor.ts';

/** Mutants of the rules, each named after its fault. */
export const relayMutants: readonly Mutant[] = [
  {
    ...{ name: 'what is not visible any more is not dropped', file },
    ...{ from: 'includes(cursor.visible, group) && !visible.has(group)', to: 'false' },
  },
  {
    ...{ name: 'who may see all drops nothing when that ends', file },
    ...{ from: '(group) => includes(cursor.visible, group)', to: "(group) => cursor.visible !== 'all' && cursor.visible.has(group)" },
  },
  {
    ...{ name: 'a reader below the floor goes on', file },
    ...{ from: '!isEmpty(cursor.shown) && cursor.at < log.floor', to: 'false' },
  },
  {
    ...{ name: 'a fill below the floor goes on', file },
    ...{ from: 'filled < log.floor && fillFloor < log.floor', to: 'false' },
  },
  {
    ...{ name: 'a fill over a log that has ever forgotten begins anew again and again', file },
    ...{ from: 'filled < log.floor && fillFloor < log.floor', to: 'filled > 0 && filled < log.floor' },
  },
  {
    ...{ name: 'what is lost stays among the shown', file },
    ...{ from: 'const shown = both(cursor.shown, visible);', to: 'const shown = cursor.shown;' },
  },
  {
    ...{ name: 'what is gained is not sent from the beginning', file },
    ...{ from: 'const fillAt = gains(cursor.visible, visible) ? 0 :', to: 'const fillAt =' },
  },
  {
    ...{ name: 'what was being sent is given up when other rights are lost', file },
    ...{ from: 'gains(shown, visible) ? cursor.fillAt : undefined', to: 'undefined' },
  },
  {
    ...{ name: 'new groups are sent to those that may not see them', file },
    ...{ from: 'includes(visible, group) && !includes(shown, group)', to: '!includes(shown, group)' },
  },
  {
    ...{ name: 'a fill sends what is shown already in the place of what is not', file },
    ...{ from: 'includes(visible, group) && !includes(shown, group)', to: 'includes(shown, group)' },
  },
  {
    ...{ name: 'a reader is taken to be current while groups are sent to it', file },
    ...{ from: 'return fillAt === undefined && at === head;', to: 'return at === head;' },
  },
  {
    ...{ name: 'a fill that has come to the head stands for the rest', file },
    ...{ from: 'filled === head && kept === head ?', to: 'filled === head ?' },
  },
  {
    ...{ name: 'a reset keeps what was shown', file },
    ...{ from: 'if (isLost || isFillLost) return { cursor: emptyCursor(visible)', to: 'if (isLost || isFillLost) return { cursor' },
  },
];
