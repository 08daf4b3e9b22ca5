import {
  type LoggedRequest,
  type Masking,
  maskingOf,
  registry,
  type Running,
  systemClock,
  unmasked,
  type Warning,
} from 'rx-informer/internal';
import { diagnose } from 'rx-informer';
import type { Facts } from 'rx-informer/pipeline';
import { jsonShown } from './differences.js';
import { Timeline } from './timeline.js';

/** An entry of the registry, with a number. */
export interface SceneThing {
  readonly id: number;
  readonly facts: Facts;
  /** The numbers of its inputs. */
  readonly inputs: readonly number[];
  /** The estimated size of its cache, in bytes of JSON. */
  readonly bytes?: number;
}

/** The data behind the inspector: of the running program, or of a file. */
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

/** How often the registry is checked for new entries. */
const syncMs = 1_000;
/** How many objects the size of a cache is estimated from, and how long an estimate is valid. */
const samples = 10;
const sampledMs = 10_000;

/** The scene of this process, from the registry. */
export class LiveScene implements Scene {
  readonly title: string;
  readonly timeline: Timeline;
  readonly now = (): number => systemClock.now();
  private readonly secrets: boolean;
  private readonly sizes = new WeakMap<Running, { readonly at: number; readonly perObject: number }>();
  private readonly timer: { unref?(): unknown };

  constructor({ title, secrets, timelineBytes }: { readonly title: string; readonly secrets: boolean; readonly timelineBytes: number }) {
    this.title = title;
    this.secrets = secrets;
    this.timeline = new Timeline({ maxBytes: timelineBytes, now: this.now });
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
    if (running === undefined || object === undefined) return undefined;
    return JSON.parse(jsonShown(() => this.maskingOf(running).shown(object)));
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
    if (known !== undefined && this.now() - known.at < sampledMs) return Math.round(known.perObject * objects);
    const keys = cache.keys();
    const sampled = Math.min(samples, keys.length);
    let sum = 0;
    for (let at = 0; at < sampled; at += 1) {
      const key = keys[Math.floor((at * keys.length) / sampled)] as string;
      sum += jsonShown(() => cache.get(key)).length;
    }
    const perObject = sampled === 0 ? 0 : sum / sampled;
    this.sizes.set(running, { at: this.now(), perObject });
    return Math.round(perObject * objects);
  }
}
