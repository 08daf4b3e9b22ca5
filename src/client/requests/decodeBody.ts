import { Observable } from 'rxjs';
import { expectJson } from './answer.js';
import { answerError } from './answerError.js';
import type { Decoder } from '../decode/decoder.js';
import { joinBytes } from './joinBytes.js';
import type { TransportEvent } from './transport.js';

/** Enough for any Status. */
const maxErrorBytes = 1024 * 1024;

/** What happens to the body of an exchange. */
interface DecodeBodyInit<T> {
  readonly decoder: () => Decoder<T>;
  /** Emitted as a sign of life: for the headers, and for bytes that complete no value. */
  readonly progress: T;
  /** The request, for messages. */
  readonly request: string;
}

/** Reads one answer: its body when it is a success, else the error that it stands for. */
class BodyReader<T> {
  private readonly init: DecodeBodyInit<T>;
  private readonly emit: (value: T) => void;
  private readonly decoder: Decoder<T>;
  private head = { status: 0, headers: {} };
  private readonly refusal: Uint8Array[] = [];
  private refusalLength = 0;

  constructor(init: DecodeBodyInit<T>, emit: (value: T) => void) {
    this.init = init;
    this.emit = emit;
    this.decoder = init.decoder();
  }

  read(event: TransportEvent): void {
    if (event.type === 'head') {
      this.head = event;
      if (event.status !== 200) return;
      expectJson(event.headers, this.init.request);
      this.emit(this.init.progress);
    } else if (this.head.status === 200) {
      this.decode(event.chunk);
    } else {
      this.refusal.push(event.chunk);
      this.refusalLength += event.chunk.length;
      if (this.refusalLength > maxErrorBytes) this.end();
    }
  }

  end(): void {
    if (this.head.status !== 200) throw answerError({ ...this.head, body: joinBytes(this.refusal) }, this.init.request);
    this.decoder.end(this.emit);
  }

  private decode(chunk: Uint8Array): void {
    let emitted = 0;
    this.decoder.push(chunk, (value) => {
      emitted += 1;
      this.emit(value);
    });
    if (emitted === 0) this.emit(this.init.progress);
  }
}

/**
 * Decodes the body of a successful answer (200 and nothing else) while it arrives. Any other answer is an ApiError.
 */
export function decodeBody<T>(init: DecodeBodyInit<T>): (events: Observable<TransportEvent>) => Observable<T> {
  return (events) =>
    new Observable((subscriber) => {
      const reader = new BodyReader(init, (value) => subscriber.next(value));
      const attempt = (step: () => void) => {
        try {
          step();
        } catch (error) {
          subscriber.error(error);
        }
      };
      return events.subscribe({
        next: (event) => attempt(() => reader.read(event)),
        error: (error: unknown) => subscriber.error(error),
        complete: () =>
          attempt(() => {
            reader.end();
            subscriber.complete();
          }),
      });
    });
}
