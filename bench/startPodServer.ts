import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compiled } from './compile.js';
import { post } from './post.js';

/**
 * Which pod each event of a watch is about: `uniform` has each in its turn, in no order; `rollout` goes through them with six events each; `busy` has each
 * of 10,000 in its turn, however many there are.
 */
export type EventPattern = 'uniform' | 'rollout' | 'busy';

/**
 * Events of a watch.
 */
export interface EventSequence {
  readonly count: number;
  readonly pattern: EventPattern;
}

/**
 * How the server lists: in pages, in one answer whatever is asked for, as the first events of a watch, or in one answer that it makes while it sends it.
 */
export type ListMode = 'paged' | 'whole' | 'streamed' | 'generated';

/**
 * A server of pods in a process of its own.
 */
export interface PodServer {
  /** The URL of so many pods, in one of the server's modes. */
  url(mode: ListMode, pods: number): string;
  /** Serializes pods before they are asked for. */
  prepare(mode: Exclude<ListMode, 'generated'>, pods: number): Promise<void>;
  /** Serializes events before they are asked for. */
  prepareEvents(pods: number, events: EventSequence): Promise<void>;
  /** The URL of one kind of traffic. */
  trafficUrl(kind: string): string;
  /** Serializes a kind of traffic, its list and all events, before they are asked for. */
  prepareTraffic(kind: string): Promise<void>;
  /** Drops everything that was serialized. */
  forget(): Promise<void>;
  close(): void;
}

/**
 * Starts it, and waits until it listens.
 */
export async function startPodServer(): Promise<PodServer> {
  const child = spawn(process.execPath, ['--max-old-space-size=8192', join(compiled, 'bench/podServer.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.setEncoding('utf8').once('data', (line: string) => resolve(Number(line)));
  });
  const server = `http://127.0.0.1:${port}`;
  return {
    url: (mode, pods) => `${server}/${mode}/${pods}`,
    prepare: (mode, pods) => post(`${server}/prepare/${mode}/${pods}`),
    prepareEvents: (pods, { count, pattern }) => post(`${server}/prepareEvents/${pods}/${count}/${pattern}`),
    trafficUrl: (kind) => `${server}/traffic/${kind}`,
    prepareTraffic: (kind) => post(`${server}/prepare/traffic/${kind}`),
    forget: () => post(`${server}/forget`),
    close: () => child.kill(),
  };
}
