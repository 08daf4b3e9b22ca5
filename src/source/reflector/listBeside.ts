import type { SourceEvent, SourceStatus } from '../../api/events/sourceEvent.js';
import { watchLine } from './watchLine.js';

type Change<T> = Extract<SourceEvent<T>, { readonly object: unknown }>;

/** What a list beside a watch is made of. */
interface ListBesideInit<T> {
  /** Makes the reflector that lists. */
  readonly begin: (output: { next(event: SourceEvent<T>): void; error(error: unknown): void }) => { start(): void; stop(): void };
  /** Is told its failures. */
  readonly tell: (status: SourceStatus) => void;
  /** It was told to stop. */
  readonly fail: (error: unknown) => void;
  readonly complete: (resourceVersion: string) => void;
}

/**
 * A list that is made while a watch goes on: what it brings is kept until it is complete, and so is what the watch brings meanwhile.
 *
 * @internal
 */
export class ListBeside<T> {
  private readonly init: ListBesideInit<T>;
  private readonly reflector: { start(): void; stop(): void };
  private listed: SourceEvent<T>[] = [];
  private readonly since: Change<T>[] = [];

  constructor(init: ListBesideInit<T>) {
    this.init = init;
    this.reflector = init.begin({ next: (event) => this.take(event), error: init.fail });
  }

  start(): void {
    this.reflector.start();
  }

  stop(): void {
    this.reflector.stop();
  }

  /** Takes note of what the watch has brought. */
  watched(event: SourceEvent<T>): void {
    if ('object' in event) this.since.push(event);
  }

  /** The list, and behind it what the watch has brought at versions above `above`. */
  brought(above: string | undefined): SourceEvent<T>[] {
    const isNewer = ({ resourceVersion }: Change<T>): boolean =>
      above !== undefined && resourceVersion !== above && !watchLine.hasGoneBack(resourceVersion, above);
    return [...this.listed, ...this.since.filter(isNewer)];
  }

  private take(event: SourceEvent<T>): void {
    switch (event.type) {
      case 'init':
        this.listed = [];
        break;
      case 'ready':
        this.stop();
        this.init.complete(event.resourceVersion);
        break;
      case 'status':
        if (event.error !== undefined) this.init.tell(event);
        break;
      case 'bookmark':
        break;
      default:
        this.listed.push(event);
    }
  }
}
