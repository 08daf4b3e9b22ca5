import { type Inspector, startInspector } from '@rx-informer/inspector';
import { lookAt } from '../../../../packages/inspector/spec/ask.js';
import { Beside, type Room, Told } from './room.js';

const panels = ['overview', 'objects', 'timeline', 'graph', 'queues', 'leases', 'requests'];

/** An inspector with an open page that shows one panel after the other. Its timeline is small enough to be full before the measurement. */
export class InspectorRoom implements Room {
  private readonly counter = new Told('looked');
  readonly told: Room['told'] = this.counter.counts;
  private readonly beside = new Beside();
  private readonly inspector: Inspector;

  private constructor(inspector: Inspector) {
    this.inspector = inspector;
  }

  static async open(): Promise<InspectorRoom> {
    return new InspectorRoom(await startInspector({ timelineBytes: 256 * 1024 }));
  }

  pass(round: number): void {
    this.beside.begin(async () => {
      await lookAt(this.inspector, { panel: panels[round % panels.length], of: 1 + (round % 5), key: 'default/fixed-1' });
      this.counter.note('looked')();
    });
  }

  async leave(): Promise<void> {
    await this.beside.end();
    await this.inspector.close();
  }
}
