import type { InformerError } from 'rx-informer';
import { registry, type Running, systemClock } from 'rx-informer/internal';
import { jsonShown } from './differences.js';
import { type Facts, factsOf, numberOf } from './facts.js';
import { isOfSecrets, unquoted } from './secrets.js';
import { type Masking, maskingOf, unmasked } from './masking.js';
import { type LoggedRequest, RequestLog } from './requestLog.js';
import { Timeline } from './timeline.js';
import { diagnose } from './warnings/diagnose.js';
import type { Warning } from './warnings/warning.js';

/** An entry of the registry, with a number. */
export interface SceneThing {
  readonly id: number;
  readonly facts: Facts;
  /** The numbers of its inputs. */
  readonly inputs: readonly number[];
  /** The estimated size of its cache, in bytes of JSON. */
  readonly bytes?: number;
}

/** The parts of a view's explanation that may quote a Secret. */
interface Explanation {
  readonly inputs: readonly { readonly read: string }[];
  readonly error?: InformerError;
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
  private readonly log = new RequestLog();
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
    return registry()
      .all()
      .map((running) => {
        const facts = factsOf(running);
        const bytes = this.bytesOf(running, 'objects' in facts ? facts.objects : 0);
        return {
          ...{ id: numberOf(running), facts, inputs: (running.inputs?.() ?? []).map((input) => numberOf(input)) },
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
    const running = this.byId(id);
    const explanation = running?.cache?.explain?.(key) as Explanation | undefined;
    if (running === undefined || explanation === undefined || this.secrets || !isOfSecrets(running)) return explanation;
    const { error, inputs } = explanation;
    return {
      ...explanation,
      inputs: inputs.map(({ read, ...input }) => ({ ...input, read: read.replace(/^(index [^=]*=).*/s, '$1(masked)') })),
      ...(error !== undefined && { error: unquoted({ code: error.code, message: error.message }) }),
    };
  }

  requests(): readonly LoggedRequest[] {
    return this.log.all();
  }

  stop(): void {
    clearInterval(this.timer as never);
    this.log.stop();
    this.timeline.stop();
  }

  private byId(id: number): Running | undefined {
    return registry()
      .all()
      .find((running) => numberOf(running) === id);
  }

  private maskingOf(running: Running): Masking {
    return this.secrets ? unmasked : maskingOf(running);
  }

  private sync(): void {
    const all = registry()
      .all()
      .map((running) => [running, { id: numberOf(running), masking: this.maskingOf(running) }] as const);
    this.timeline.follow(new Map(all));
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
