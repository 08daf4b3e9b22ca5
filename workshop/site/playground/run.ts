import { isObservable, type Observable, Subscription } from 'rxjs';
import { modules } from './modules.js';
import { Stage } from './stage.js';

/** A running program. */
export interface Run {
  readonly stage: Stage;
  stop(): void;
}

const importStatement = /^import\s+(?:\{([^}]*)\}|\*\s+as\s+(\w+))\s+from\s+['"]([^'"]+)['"];?/gm;

/** Replaces imports of modules with reads of an object: a page that is opened from a disk cannot load modules. */
function withoutImports(code: string): string {
  const read = code.replace(importStatement, (whole, names: string | undefined, all: string | undefined, from: string) => {
    const lines = '\n'.repeat(whole.split('\n').length - 1);
    const target = all ?? `{${(names ?? '').replace(/\bas\b/g, ':').replaceAll('\n', ' ')}}`;
    return `const ${target} = load(${JSON.stringify(from)}, ${JSON.stringify(names ?? '')});${lines}`;
  });
  const [odd] = /^import\b(?!\s*\().*/m.exec(read) ?? [];
  if (odd !== undefined) throw new SyntaxError(`Expected an import such as import { of } from 'rxjs', got ${odd}`);
  return read;
}

function load(playground: object, from: string, names: string): object {
  const found = from === 'playground' ? playground : modules[from];
  if (found === undefined) throw new TypeError(`Expected one of ${['playground', ...Object.keys(modules)].join(', ')}, got ${from}`);
  for (const name of names.split(',').map((each) => each.replace(/\bas\b.*/, '').trim())) {
    if (name !== '' && !(name in found)) throw new TypeError(`Expected a name that ${from} exports, got ${name}`);
  }
  return found;
}

/** Runs a program, and draws the emitted values into an element. */
export function run(code: string, parent: HTMLElement, report: (error: unknown) => void, seconds: number): Run {
  const stage = new Stage(parent, seconds);
  const all = new Subscription();
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      report(error);
    }
  };
  const playground = {
    show: (name: string, stream: Observable<unknown>): void => {
      if (!isObservable(stream)) throw new TypeError(`Expected \`show\` to be given a name and an Observable, got ${typeof stream}`);
      const lane = stage.lane(name);
      all.add(
        stream.subscribe({
          next: lane.next,
          complete: () => lane.end(),
          error: (error: unknown) => {
            lane.end(error);
            report(error);
          },
        }),
      );
    },
    at: (second: number, work: () => void): void => {
      const timer = setTimeout(() => guarded(work), second * 1_000);
      all.add(() => clearTimeout(timer));
    },
  };
  guarded(() => {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- running what the reader writes is what it is for
    const program = new Function('load', `'use strict';${withoutImports(code)}`) as (load: (from: string, names: string) => object) => void;
    program((from, names) => load(playground, from, names));
  });
  return { stage, stop: () => all.unsubscribe() };
}
