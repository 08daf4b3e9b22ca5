import { seededRandom } from '../../../../../../src/testing/fakes/randomHistory.js';
import { steadily } from '../../../../../../spec/testing/suites/guarantees/steadily.js';
import type { Target } from '../../../support/target.js';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Randomly creates, changes and deletes the objects of one collection, one after the other, and moves them into and out of `side=left`. */
export class Churn {
  /** The resourceVersions that were acknowledged. */
  readonly acknowledged: string[] = [];
  private readonly target: Target;
  private readonly path: string;
  private readonly random: () => number;
  private readonly there = new Set<string>();
  private step = 0;

  constructor(target: Target, path: string, seed: number) {
    this.target = target;
    this.path = path;
    this.random = seededRandom(seed);
  }

  async write(steps: number): Promise<void> {
    for (const until = this.step + steps; this.step < until; this.step += 1) {
      const name = this.pick(names);
      const labels = { side: this.pick(['left', 'right']), step: String(this.step) };
      if (!this.there.has(name)) {
        this.acknowledge(await this.target.post(this.path, { metadata: { name, labels } }));
        this.there.add(name);
      } else if (this.random() < 0.25) {
        await this.target.delete(`${this.path}/${name}`);
        this.there.delete(name);
      } else {
        this.acknowledge(await this.target.merge(`${this.path}/${name}`, { metadata: { labels } }));
      }
    }
  }

  /** Resolves when the server can be reached, after faults. */
  async reach(): Promise<void> {
    await steadily(() => this.target.must(this.path));
  }

  /** Deletes them all by one request. */
  async clear(): Promise<void> {
    await this.target.delete(this.path);
    this.there.clear();
  }

  private acknowledge({ metadata }: { readonly metadata: { readonly resourceVersion: string } }): void {
    this.acknowledged.push(metadata.resourceVersion);
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }
}
