import type { Choose } from '../everyChoice.js';
import type * as subjects from './subject.js';

const phases = ['run', 'settle 0', 'settle 1', 'notify', 'after'] as const;
type Phase = (typeof phases)[number];

interface Action {
  readonly phase: Phase;
  readonly of: number;
  readonly id: number;
}

/** Some trampolines, in which actions ask for others and join them. */
class Trampolines {
  private problem: string | undefined;
  private readonly choose: Choose;
  private left: number;
  private readonly members: readonly subjects.Trampoline[];
  /** Which members share their turns. */
  private readonly graphs: number[];
  private waiting: Action[] = [];
  private running: Action[] = [];
  private readonly does: string[] = [];

  constructor(subject: typeof subjects, choose: Choose, members: number, acts: number) {
    this.choose = choose;
    this.left = acts;
    this.members = Array.from({ length: members }, () => new subject.Trampoline());
    this.graphs = this.members.map((_, index) => index);
  }

  run(): string | undefined {
    while (this.left > 0 && this.problem === undefined) {
      try {
        this.act();
      } catch (error) {
        if ((error as Error).message !== 'thrown') throw error;
      }
      if (this.waiting.length > 0) this.fail(`${this.waiting.map(({ phase }) => phase).join()} never ran`);
      if (this.members.some((one) => one.isBusy())) this.fail('a turn is under way for ever');
    }
    return this.problem;
  }

  private fail(problem: string): void {
    this.problem ??= `${problem}, after ${this.does.join(', ')}`;
  }

  private act(): void {
    if (this.left === 0) return;
    const isInside = this.running.length > 0;
    const { length } = this.members;
    const count = length * phases.length;
    // What can be asked for, joins of the first with the others, and, inside, to throw and to do nothing.
    const chosen = this.choose(count + (length - 1) + (isInside ? 2 : 0));
    if (chosen === count + length) return;
    this.left -= 1;
    if (chosen < count) this.ask(phases[chosen % phases.length] as Phase, Math.floor(chosen / phases.length));
    else if (chosen < count + length - 1) this.join(0, chosen - count + 1);
    else {
      this.does.push('throw');
      throw new Error('thrown');
    }
  }

  private ask(phase: Phase, of: number): void {
    const action = { phase, of, id: this.does.length };
    this.does.push(`${phase} of ${of}`);
    this.waiting.push(action);
    const one = this.members[of] as subjects.Trampoline;
    const run = (): void => this.runs(action);
    if (phase === 'run') one.run(run);
    else if (phase === 'notify') one.notify(run);
    else if (phase === 'after') one.after(run);
    else one.settle(phase === 'settle 0' ? 0 : 1, run);
  }

  private join(one: number, other: number): void {
    this.does.push(`join ${one} ${other}`);
    (this.members[one] as subjects.Trampoline).join(this.members[other] as subjects.Trampoline);
    const graph = this.graphs[other];
    this.graphs.forEach((of, index) => {
      if (of === graph) this.graphs[index] = this.graphs[one] as number;
    });
  }

  private runs(action: Action): void {
    const isOfGraph = ({ of }: Action): boolean => this.graphs[of] === this.graphs[action.of];
    const rank = ({ phase }: Action): number => ['settle 0', 'settle 1', 'notify', 'after', 'run'].indexOf(phase);
    const before = this.waiting.find(
      (other) => isOfGraph(other) && (rank(other) < rank(action) || (rank(other) === rank(action) && other.id < action.id)),
    );
    if (!this.waiting.includes(action)) this.fail(`${action.phase} ran twice`);
    // After a join of two graphs in the middle of turns of both, the inner one lets what waits settle only.
    if (before !== undefined && !this.hasJoined()) this.fail(`${action.phase} of ${action.of} ran before ${before.phase} of ${before.of}`);
    const inner = this.running.find(isOfGraph);
    if (inner !== undefined && !this.hasJoined()) this.fail(`${action.phase} ran inside of ${inner.phase}`);
    this.waiting = this.waiting.filter((other) => other !== action);
    this.running = [...this.running, action];
    try {
      this.act();
      this.act();
    } finally {
      this.running = this.running.filter((other) => other !== action);
    }
  }

  private hasJoined(): boolean {
    return this.does.some((what) => what.startsWith('join'));
  }
}

/** All sequences of scheduled work in any phase, of joins and of errors, of this length, also inside of actions. */
export function trampolinesProgram(subject: typeof subjects, members: number, acts: number): (choose: Choose) => string | undefined {
  return (choose) => new Trampolines(subject, choose, members, acts).run();
}
