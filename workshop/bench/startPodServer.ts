import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compiled } from './compile.js';
import { post } from './post.js';

/**
 * The order of the pods in the events of a watch: `uniform` takes each pod once, in scattered order; `rollout` goes through the pods in
 * order, with six events each; `busy` takes each of 10,000 pods, regardless of the number of pods.
 */
export type EventPattern = 'uniform' | 'rollout' | 'busy';

/** A sequence of events of a watch. */
export interface EventSequence {
  readonly count: number;
  readonly pattern: EventPattern;
}

/**
 * How the server lists: in pages, in one answer regardless of `limit`, as the initial events of a watch, or in one answer that it generates
 * while sending.
 */
export type ListMode = 'paged' | 'whole' | 'streamed' | 'generated';

/** A server of pods in a separate process. */
export interface PodServer {
  /** The URL of this many pods, in one of the server's modes. */
  url(mode: ListMode, pods: number): string;
  /** Serializes the pods before they are requested. */
  prepare(mode: Exclude<ListMode, 'generated'>, pods: number): Promise<void>;
  /** Serializes the events before they are requested. */
  prepareEvents(pods: number, events: EventSequence): Promise<void>;
  /** The URL of one kind of traffic. */
  trafficUrl(kind: string): string;
  /** Serializes a kind of traffic, its list and all events, before they are requested. */
  prepareTraffic(kind: string): Promise<void>;
  /** Drops all serialized data. */
  forget(): Promise<void>;
  close(): void;
}

/** Starts the server, and waits until it listens. */
export async function startPodServer(): Promise<PodServer> {
  const child = spawn(process.execPath, ['--max-old-space-size=8192', join(compiled, 'podServer.js')], {
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
