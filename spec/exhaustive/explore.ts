import { isDeep, reached } from '../tier.js';

/** A machine to explore: its initial state, its moves, and its invariants. */
export interface Machine<State> {
  readonly name: string;
  readonly begin: State;
  /** All possible moves, always in the same order. */
  moves(state: State): readonly Move<State>[];
  /** Equal for states that behave alike: those are explored once. */
  keyOf(state: State): string;
  /** The violated invariant of a state; undefined for a correct one. */
  problemOf(state: State): string | undefined;
  /** The goal that every state must reach when no more faults occur. */
  readonly calm?: Calm<State>;
}

/** One possible move: its description, and the state after it. */
export interface Move<State> {
  readonly name: string;
  readonly to: State;
}

/** The moves without further faults, and their goal. */
export interface Calm<State> {
  isReached(state: State): boolean;
  next(state: State): Move<State> | undefined;
  /** The time that the move takes, in milliseconds. */
  timeOf(from: State, to: State): number;
  /** The maximum number of moves to the goal. */
  readonly within: number;
}

/** The bounds of an exploration. */
export interface Bounds {
  readonly depth?: number;
  /** Ends the exploration at this many states. */
  readonly states?: number;
  readonly ms?: number;
}

/** The states of each exploration in `npm test`. */
const quickStates = 6_000;

/** As far as `npm test` goes; in a deep run, to the given depth; with `EXPLORE_MINUTES`, as deep as that time allows. */
export function boundsOf(depth: number): Bounds {
  const minutes = Number(process.env['EXPLORE_MINUTES'] ?? 0);
  if (minutes > 0) return { ms: minutes * 60_000 };
  return isDeep ? { depth } : { depth, states: quickStates };
}

/** The shortest path to a violation. */
export interface Counterexample {
  readonly problem: string;
  readonly moves: readonly string[];
}

export interface Exploration {
  readonly machine: string;
  /** Every order of this many moves has been tried. */
  readonly depth: number;
  /** Whether all states have been reached. */
  readonly isWhole: boolean;
  readonly states: number;
  readonly moves: number;
  /** The longest time from any state to the goal, in milliseconds. */
  readonly longestCalmMs: number;
  readonly counterexample: Counterexample | undefined;
}

/** Remembers keys by 64 bits of hash: of ten million keys, two have the same hash once in 300,000 explorations. */
class Seen {
  private high = new Uint32Array(1 << 16);
  private low = new Uint32Array(1 << 16);
  private values = new Float64Array(1 << 16);
  size = 0;

  /** The value of the key; `undefined` if the key is new. */
  get(key: string): number | undefined {
    const at = this.placeOf(key);
    return this.isFree(at) ? undefined : this.values[at];
  }

  set(key: string, value: number): void {
    const at = this.placeOf(key);
    if (this.isFree(at)) {
      this.high[at] = hashed[0] as number;
      this.low[at] = hashed[1] as number;
      this.size += 1;
    }
    this.values[at] = value;
    if (this.size * 2 > this.high.length) this.grow();
  }

  private isFree(at: number): boolean {
    return this.high[at] === 0 && this.low[at] === 0;
  }

  private placeOf(key: string): number {
    hash(key);
    return this.place(hashed[0] as number, hashed[1] as number);
  }

  private place(high: number, low: number): number {
    const mask = this.high.length - 1;
    let at = low & mask;
    while (!this.isFree(at) && (this.high[at] !== high || this.low[at] !== low)) at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const { high, low, values } = this;
    this.high = new Uint32Array(high.length * 4);
    this.low = new Uint32Array(high.length * 4);
    this.values = new Float64Array(high.length * 4);
    high.forEach((one, at) => {
      const other = low[at] as number;
      if (one === 0 && other === 0) return;
      const place = this.place(one, other);
      [this.high[place], this.low[place], this.values[place]] = [one, other, values[at] as number];
    });
  }
}

const { imul } = Math;

/** The hash of the text, in two halves. They are never both 0, which marks an empty slot. */
const hashed = new Uint32Array(2);

function hash(text: string): void {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = imul(one ^ code, 0x9e3779b1);
    other = imul(other ^ code, 0x5f356495);
    one ^= one >>> 15;
  }
  one = imul(one ^ (one >>> 16), 0x85ebca6b) ^ imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = imul(other ^ (other >>> 16), 0x85ebca6b) ^ imul(one ^ (one >>> 13), 0xc2b2ae35);
  hashed[0] = one;
  hashed[1] = other | 1;
}

/** For each state, the state and the move from which it was first reached. */
class Ways {
  private readonly from: number[] = [-1];
  private readonly by: number[] = [-1];

  add(from: number, by: number): number {
    this.from.push(from);
    this.by.push(by);
    return this.from.length - 1;
  }

  to(state: number): number[] {
    const moves: number[] = [];
    for (let at = state; (this.from[at] as number) >= 0; at = this.from[at] as number) moves.unshift(this.by[at] as number);
    return moves;
  }
}

/** Checks whether each state leads to the goal. Results are remembered. */
class Calms<State> {
  private readonly timeTo = new Seen();
  longestMs = 0;
  private readonly machine: Machine<State>;

  constructor(machine: Machine<State>) {
    this.machine = machine;
  }

  /** The path that does not reach the goal. */
  missed(state: State, key: string): readonly string[] | undefined {
    const { calm } = this.machine;
    if (calm === undefined) return undefined;
    const way: { readonly key: string; readonly ms: number }[] = [];
    const names: string[] = [];
    let known = this.timeTo.get(key);
    for (let at = state, atKey = key; known === undefined; known = this.timeTo.get(atKey)) {
      if (calm.isReached(at)) {
        this.timeTo.set(atKey, 0);
        continue;
      }
      const move = names.length < calm.within ? calm.next(at) : undefined;
      if (move === undefined) return names;
      names.push(move.name);
      way.push({ key: atKey, ms: calm.timeOf(at, move.to) });
      at = move.to;
      atKey = this.machine.keyOf(at);
    }
    for (const { key: passed, ms } of way.reverse()) {
      known += ms;
      this.timeTo.set(passed, known);
    }
    this.longestMs = Math.max(this.longestMs, known);
    return undefined;
  }
}

/** Tries all moves of a machine in every order, breadth first, so that the first counterexample is a shortest one. */
export function explore<State>(machine: Machine<State>, bounds: Bounds = {}): Exploration {
  const { stackTraceLimit } = Error;
  // Many moves throw errors, whose stacks are not used.
  Error.stackTraceLimit = 0;
  try {
    return exploration(machine, bounds);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function exploration<State>(machine: Machine<State>, bounds: Bounds): Exploration {
  const { depth: deepest = Infinity, states: most = Infinity, ms = Infinity } = bounds;
  const until = performance.now() + ms;
  const seen = new Seen();
  const ways = new Ways();
  const calms = new Calms(machine);
  let moves = 0;
  let depth = 0;
  let level: { readonly state: State; readonly id: number }[] = [{ state: machine.begin, id: 0 }];
  seen.set(machine.keyOf(machine.begin), 0);
  const found = (counterexample?: Counterexample): Exploration => {
    const isWhole = level.length === 0;
    return { machine: machine.name, depth, isWhole, states: seen.size, moves, longestCalmMs: calms.longestMs, counterexample };
  };
  while (level.length > 0 && depth < deepest) {
    const next: typeof level = [];
    for (const { state, id } of level) {
      if (seen.size >= most || performance.now() > until) return found();
      const all = machine.moves(state);
      moves += all.length;
      for (const [by, { to }] of all.entries()) {
        const key = machine.keyOf(to);
        if (seen.get(key) !== undefined) continue;
        seen.set(key, 0);
        const reached = ways.add(id, by);
        const problem = machine.problemOf(to);
        if (problem !== undefined) return found({ problem, moves: namesOf(machine, ways.to(reached)) });
        const missed = calms.missed(to, key);
        if (missed !== undefined) {
          const names = [...namesOf(machine, ways.to(reached)), ...missed.map((name) => `then ${name}`)];
          return found({ problem: 'the goal is not reached when nothing more goes wrong', moves: names });
        }
        next.push({ state: to, id: reached });
      }
    }
    level = next;
    depth += 1;
  }
  return found();
}

function namesOf<State>(machine: Machine<State>, way: readonly number[]): string[] {
  let state = machine.begin;
  return way.map((by) => {
    const { name, to } = machine.moves(state)[by] as Move<State>;
    state = to;
    return name;
  });
}

/** Runs the named moves; returns the error of the run. Moves that begin with `then` are those without faults. */
export function replay<State>(machine: Machine<State>, names: readonly string[]): { readonly state: State; readonly problem?: string } {
  let state = machine.begin;
  for (const name of names) {
    const isCalm = name.startsWith('then ');
    const move = isCalm ? machine.calm?.next(state) : machine.moves(state).find((one) => one.name === name);
    if (move === undefined || (isCalm && name !== `then ${move.name}`)) {
      const can = machine.moves(state).map((one) => one.name);
      throw new Error(`Expected one of the moves ${can.join(', ')}, got ${name}`);
    }
    state = move.to;
    const problem = machine.problemOf(state);
    if (problem !== undefined) return { state, problem };
  }
  return { state };
}

/** Says how far an exploration has come. */
export function sayReached({ machine, depth, states }: Exploration, name: string): void {
  reached(`${machine}, ${name}: every order of ${String(depth)} moves, ${states.toLocaleString('en')} states`);
}

/** A counterexample as a trace for readers, and as a spec to begin with. */
export function counterexampleText({ machine, counterexample }: Exploration): string {
  if (counterexample === undefined) return `${machine}: no counterexample`;
  const { problem, moves } = counterexample;
  const trace = moves.map((name, at) => `  ${String(at + 1).padStart(2)}. ${name}`);
  const spec = [
    `it('...', () => {`,
    `  const { problem } = replay(machine, [`,
    ...moves.map((name) => `    ${JSON.stringify(name)},`),
    `  ]);`,
    `  expect(problem).toBeUndefined();`,
    `});`,
  ];
  return [`${machine}: ${problem}`, ...trace, '', ...spec].join('\n');
}
