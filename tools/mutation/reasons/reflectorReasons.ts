import type { Reason } from './reason.js';

const folder = 'source/reflector';
const reflector = `${folder}/reflect.ts`;
const tell = `${folder}/tell.ts`;
const watching = `${folder}/watching.ts`;
const notWatched = 'equivalent: whatever is not `watch` is a list';

export const reflectorReasons: readonly Reason[] = [
  { file: `${folder}/watching.ts`, originals: ["'list'"], reason: notWatched },
  { file: `${folder}/lists.ts`, originals: ["'list'"], reason: notWatched },
  { file: watching, originals: ["'list'"], reason: notWatched },
  { file: reflector, originals: ["'list'"], replacement: "''", reason: 'equivalent: a name of its own for the list or the look' },
  { file: reflector, originals: ["'watch'", "'look'"], reason: 'equivalent: any name does that no other request has' },
  {
    file: `${folder}/watching.ts`,
    originals: ['false'],
    replacement: 'true',
    reason: 'equivalent: the one is asked for internal errors alone; with the other a list follows, after which nothing is doubted',
  },
  { file: `${folder}/streaming.ts`, originals: ["'list'"], reason: 'equivalent: what is none of the other answers is listed' },
  {
    file: `${folder}/streaming.ts`,
    originals: ['metadata?.annotations?.[initialEventsEndAnnotation]'],
    reason: 'equivalent: events without metadata have been left out before',
  },
  {
    file: `${folder}/streaming.ts`,
    originals: ['event.object.metadata?.resourceVersion', "event.object.metadata?.resourceVersion ?? ''", "''"],
    reason: 'equivalent: events without metadata have been left out before, and a missing version reads as none',
  },
  {
    file: `${folder}/streaming.ts`,
    originals: ['memory === state.memory'],
    reason: 'equivalent: the copy has the same content, and only takes time',
  },
  {
    file: reflector,
    originals: ["happening.type === 'due'", "'due'", 'Math.max(now, dueAt(this.state))'],
    reason: 'equivalent in virtual time: where a clock is a part of a millisecond early, the timer is set once more',
  },
  {
    file: reflector,
    originals: ["state.type === 'watching' && !this.turns.isBusy()", "state.type === 'watching'", "'watching'", 'after !== undefined'],
    reason: 'equivalent: this way is a shortcut, and a spec of its own shows that a step does the same',
  },
  {
    file: reflector,
    originals: ["this.state.type === 'watching'", 'seen = undefined;'],
    reason: 'equivalent but for memory: the keys of the list are kept until the watch ends',
  },
  {
    file: reflector,
    originals: ['bounded'],
    reason: 'equivalent in virtual time, where a timer may take for ever; a real one would fire at once',
  },
  { file: reflector, originals: ["{ type: 'due' }"], reason: 'equivalent: any word makes a state look at the time' },
  {
    file: reflector,
    originals: ["this.state.memory.link ?? 'watching'", "'watching'"],
    reason: 'equivalent: the link is known by then; the types do not know that',
  },
  {
    file: reflector,
    originals: ['this.relist ?? {}', '[]'],
    reason: 'equivalent: nothing is handed over without a list beside; the types do not know that',
  },
  { file: reflector, originals: ['due >= this.timerAt', 'this.timerAt = due;'], reason: 'equivalent but for time: a timer more is set' },
  {
    file: reflector,
    originals: ['dueAt(this.state) - this.scheduler.now() < 1'],
    replacement: 'dueAt(this.state) - this.scheduler.now() <= 1',
    reason: 'a millisecond early, on which nothing depends',
  },
  {
    file: reflector,
    originals: [
      "line.type === 'PROGRESS' || line.type === 'ERROR' || line.type === 'BOOKMARK'",
      "line.type === 'ERROR'",
      "'ERROR'",
      "line.type === 'BOOKMARK'",
      "'BOOKMARK'",
      'line.object.metadata ?? {}',
      "''",
    ],
    reason: 'equivalent: an ERROR and a BOOKMARK end a streamed list, whether new or not, and what has no metadata is left out',
  },
  { file: tell, originals: ["memory.link ?? 'listing'", "'listing'"], reason: 'equivalent: the first thing that is told is that it lists' },
  {
    file: tell,
    originals: ['object.metadata ?? {}', "''"],
    reason: 'words for people, and what has no metadata has been left out before',
  },
  {
    file: reflector,
    originals: ["'first'"],
    reason: 'equivalent: the first list of all is told as that, and no other word is looked for',
  },
  { file: `${folder}/reflectOptions.ts`, originals: ["'retry'"], reason: 'equivalent: only `stop` is looked for' },
  {
    file: watching,
    originals: ['line.object.metadata?.resourceVersion', 'event.object.metadata?.resourceVersion'],
    reason: 'equivalent: what has no metadata has been left out before',
  },
  {
    file: reflector,
    originals: ["{ type: 'list', reason: 'first' }"],
    reason: 'equivalent: whatever is not `watch` is a list, and the first one is told as that without a word',
  },
  {
    file: reflector,
    originals: ['this.relist = undefined;'],
    reason: 'equivalent but for memory: a list that has been stopped takes note of what is watched until another one takes its place',
  },
  {
    file: reflector,
    originals: ['asked.sendInitialEvents === true'],
    replacement: 'true',
    reason: 'equivalent but for memory: a plain watch does not ask which keys are new',
  },
  {
    file: reflector,
    originals: ['metadata?.resourceVersion'],
    reason: 'fails outside of any test, which Jest notices and this run does not',
  },
  {
    file: reflector,
    originals: [
      '{ this.state = after; this.turns.run(() => this.emit(watchLine.told(line as ChangeLine<T>, context.source.scope, afte...',
      '{ const after = advanced(state, line, this.scheduler.now(), context); if (after !== undefined) { this.state = after; ...',
    ],
    reason: 'equivalent: this way is a shortcut, and a spec of its own shows that a step does the same',
  },
  {
    file: watching,
    originals: ["line.type === 'PROGRESS' || line.type === 'ERROR'", "'PROGRESS'", "'ERROR'"],
    reason: 'equivalent: what is no change is found a line below as well; the types do not know that',
  },
];
