import { diagnose } from '../api/running/diagnose.js';
import type { Facts } from '../api/running/facts.js';
import { type Masking, maskingOf, unmasked } from '../api/running/masking.js';
import { registry, type Running } from '../api/running/registry.js';
import type { LoggedRequest } from '../api/running/requestLog.js';
import type { Warning } from '../api/running/warning.js';
import { Timeline } from './timeline.js';

/** A thing that runs, by its number. */
export interface SceneThing {
  readonly id: number;
  readonly facts: Facts;
  /** The numbers of what it is made of. */
  readonly inputs: readonly number[];
  /** How many bytes of JSON its cache would be, about. */
  readonly bytes?: number;
}

/** What the inspector shows: a program that runs, or a file of one that ran. */
export interface Scene {
  readonly title: string;
  readonly timeline: Timeline;
  readonly warnings: () => readonly Warning[];
  readonly things: () => readonly SceneThing[];
  readonly keys: (id: number) => readonly string[];
  readonly object: (id: number, key: string) => unknown;
  readonly explain: (id: number, key: string) => unknown;
  readonly requests: () => readonly LoggedRequest[];
  readonly now: () => number;
  readonly stop: () => void;
}

/** How far apart two looks are at what has begun to run since. */
const syncMs = 1_000;
/** How many objects the size of all is estimated from, and for how long an estimate counts. */
const samples = 10;
const sampledMs = 10_000;

const wallNow = (): number => performance.timeOrigin + performance.now();

/** This process, as the registry knows it. */
export class LiveScene implements Scene {
  readonly title: string;
  readonly timeline: Timeline;
  readonly now: () => number = wallNow;
  private readonly secrets: boolean;
  private readonly sizes = new Map<Running, { readonly at: number; readonly perObject: number }>();
  private readonly timer: { unref?(): unknown };

  constructor({ title, secrets, timelineBytes }: { readonly title: string; readonly secrets: boolean; readonly timelineBytes: number }) {
    this.title = title;
    this.secrets = secrets;
    this.timeline = new Timeline({ maxBytes: timelineBytes, now: wallNow });
    this.sync();
    const timer: unknown = setInterval(() => this.sync(), syncMs);
    this.timer = timer as { unref?(): unknown };
    this.timer.unref?.();
  }

  warnings(): readonly Warning[] {
    return diagnose();
  }

  things(): readonly SceneThing[] {
    const all = registry();
    return all.all().map((running) => {
      const facts = running.facts();
      const bytes = this.bytesOf(running, 'objects' in facts ? facts.objects : 0);
      return {
        ...{ id: all.idOf(running), facts, inputs: (running.inputs?.() ?? []).map((input) => all.idOf(input)) },
        ...(bytes !== undefined && { bytes }),
      };
    });
  }

  keys(id: number): readonly string[] {
    return this.byId(id)?.cache?.keys() ?? [];
  }

  object(id: number, key: string): unknown {
    const running = this.byId(id);
    const object = running?.cache?.get(key);
    return running === undefined || object === undefined ? undefined : this.maskingOf(running).shown(object);
  }

  explain(id: number, key: string): unknown {
    return this.byId(id)?.cache?.explain?.(key);
  }

  requests(): readonly LoggedRequest[] {
    return registry().requests.all();
  }

  stop(): void {
    clearInterval(this.timer as never);
    this.timeline.stop();
  }

  private byId(id: number): Running | undefined {
    const all = registry();
    return all.all().find((running) => all.idOf(running) === id);
  }

  private maskingOf(running: Running): Masking {
    return this.secrets ? unmasked : maskingOf(running);
  }

  private sync(): void {
    const all = registry();
    this.timeline.follow(new Map(all.all().map((running) => [running, { id: all.idOf(running), masking: this.maskingOf(running) }])));
  }

  private bytesOf(running: Running, objects: number): number | undefined {
    const { cache } = running;
    if (cache === undefined || objects === 0) return undefined;
    const known = this.sizes.get(running);
    if (known !== undefined && wallNow() - known.at < sampledMs) return Math.round(known.perObject * objects);
    const keys = cache.keys();
    const step = Math.max(1, Math.floor(keys.length / samples));
    const sampled = keys.filter((_, at) => at % step === 0).slice(0, samples);
    const sum = sampled.reduce((bytes, key) => bytes + ((JSON.stringify(cache.get(key)) as string | undefined) ?? '').length, 0);
    const perObject = sampled.length === 0 ? 0 : sum / sampled.length;
    this.sizes.set(running, { at: wallNow(), perObject });
    return Math.round(perObject * objects);
  }
}
