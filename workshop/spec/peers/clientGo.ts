import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Whether Go is installed; without it, client-go cannot be compared. */
export const hasGo: boolean = spawnSync('go', ['version']).status === 0;

/** The seed of the random scripts: another one each day, unless `SEED` is set. */
export const seed: number = Number(process.env['SEED'] ?? Math.floor(Date.now() / 86_400_000));

/** The program of workshop/tools/peers/client-go, built. */
export interface ClientGo {
  /** The path of the program. */
  readonly program: string;
  /** Runs scripts, and returns the result of each. */
  run(mode: 'fifo' | 'queue', scripts: readonly object[]): readonly unknown[];
  /** Starts an informer of the config maps of a namespace. */
  informer(url: string, namespace: string): ClientGoInformer;
  readonly remove: () => void;
}

/** The output of its informer, one line per call of a handler. */
export interface ToldByClientGo {
  readonly type: 'added' | 'updated' | 'deleted' | 'synced' | 'store';
  readonly key?: string;
  readonly version?: string;
  readonly oldVersion?: string;
  readonly initial?: boolean;
  readonly unknown?: boolean;
  readonly store?: Readonly<Record<string, string>>;
}

/** An informer of client-go in a separate process. */
export interface ClientGoInformer {
  readonly told: readonly ToldByClientGo[];
  /** The content of its store: the resourceVersion of each key. */
  store(): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

function startInformer(program: string, url: string, namespace: string): ClientGoInformer {
  const child = spawn(program, ['informer', url, namespace], { stdio: ['pipe', 'pipe', 'ignore'] });
  const told: ToldByClientGo[] = [];
  const stores: ((store: Readonly<Record<string, string>>) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const one = JSON.parse(line) as ToldByClientGo;
    if (one.type === 'store') stores.shift()?.(one.store ?? {});
    else told.push(one);
  });
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  return {
    told,
    store: () =>
      new Promise((resolve) => {
        stores.push(resolve);
        child.stdin.write('store\n');
      }),
    stop: async () => {
      child.kill();
      await gone;
    },
  };
}

/** Builds a program of workshop/tools/peers; the first time that takes minutes. */
export function buildGo(name: string): { readonly program: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), `rx-informer-${name}-`));
  const program = join(folder, name);
  const sources = fileURLToPath(new URL(`../../tools/peers/${name}`, import.meta.url));
  execFileSync('go', ['build', '-o', program, '.'], { cwd: sources, stdio: ['ignore', 'ignore', 'inherit'] });
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Builds the program that uses client-go. */
export function buildClientGo(): ClientGo {
  const { program, remove } = buildGo('client-go');
  return {
    program,
    run: (mode, scripts) => {
      const input = scripts.map((script) => `${JSON.stringify(script)}\n`).join('');
      const output = execFileSync(program, [mode], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
      return output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    },
    informer: (url, namespace) => startInformer(program, url, namespace),
    remove,
  };
}
