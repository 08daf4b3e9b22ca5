import type { Mutant } from '../mutants.js';

const trampoline = 'src/rx/trampoline.ts';
const snapshots = 'src/delta/share/shareWithSnapshot.ts';

/** What would go wrong if it were written like that. */
export const turnsMutants: readonly Mutant[] = [
  {
    ...{ name: 'subscribers are told before all has settled', file: trampoline },
    ...{
      from: 'if (this.settling.count > 0) return this.settling.shift();',
      to: 'if (this.notifying.size === 0 && this.settling.count > 0) return this.settling.shift();',
    },
  },
  {
    ...{ name: 'what comes afterwards comes before', file: trampoline },
    ...{ from: 'this.notifying.shift() ?? this.afterwards.shift() ??', to: 'this.afterwards.shift() ?? this.notifying.shift() ??' },
  },
  {
    ...{ name: 'a failure ends all turns', file: trampoline },
    ...{ from: 'if (!failed) failure = error;', to: 'throw error;' },
  },
  {
    ...{ name: 'a turn begins inside of another', file: trampoline },
    ...{
      from: '    if (this.busySince === 0) {\n      this.drain(action);\n      return;\n    }\n    this.queued += 1;\n    this[phase].push(action, level);',
      to: '    this.drain(action);',
    },
  },
  {
    ...{ name: 'turns are under way for ever', file: trampoline },
    ...{ from: '    } finally {\n      this.busySince = 0;', to: '    } finally {\n      this.busySince = 1;' },
  },
  {
    ...{ name: 'a queued notification is lost by a join', file: trampoline },
    ...{ from: "['turns', 'notifying', 'afterwards'] as const", to: "['turns', 'afterwards'] as const" },
  },
  {
    ...{ name: 'levels settle in any order', file: trampoline },
    ...{ from: '(this.byLevel[level] ??= new Fifo<Action>())', to: '(this.byLevel[this.lowest] ??= new Fifo<Action>())' },
  },
  {
    ...{ name: 'what is in the snapshot is told again', file: snapshots },
    ...{ from: 'if (count <= sink.since) return;', to: '' },
  },
  {
    ...{ name: 'a snapshot is taken to be of when the last change was told', file: snapshots },
    ...{ from: '    sink.since = this.received;\n    sink.known = true;', to: '    sink.since = this.dispatched;\n    sink.known = true;' },
  },
  {
    ...{ name: 'who joins is not told what comes', file: snapshots },
    ...{ from: '    (sink.settled ? this.settled : this.others).add(sink);\n', to: '' },
  },
];
