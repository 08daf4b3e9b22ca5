import { messageOf, registry, type RequestFollower, systemClock } from 'rx-informer/internal';

/** A request of a client, and its outcome. */
export interface LoggedRequest {
  readonly number: number;
  /** For example `GET /api/v1/pods`: without credentials. */
  readonly name: string;
  /** Milliseconds since 1970, by the system's monotonic clock, since clients have different schedulers. */
  readonly startedAt: number;
  headAt?: number;
  endedAt?: number;
  status?: number;
  bytes: number;
  failure?: string;
}

/** The number of requests kept. */
const kept = 200;

/** The last requests of all clients of the process, from its creation until `stop`. */
export class RequestLog {
  private readonly requests: LoggedRequest[] = [];
  private count = 0;
  readonly stop: () => void = registry().followRequests((name) => this.begin(name));

  all(): readonly LoggedRequest[] {
    return this.requests;
  }

  private begin(name: string): RequestFollower {
    this.count += 1;
    const request: LoggedRequest = { number: this.count, name, startedAt: systemClock.now(), bytes: 0 };
    this.requests.push(request);
    // Finished requests are dropped before pending ones, such as watches, which last for hours.
    if (this.requests.length > kept)
      this.requests.splice(
        Math.max(
          0,
          this.requests.findIndex(({ endedAt }) => endedAt !== undefined),
        ),
        1,
      );
    return {
      event: (event) => {
        if (event.type === 'data') {
          request.bytes += event.chunk.length;
          return;
        }
        request.status = event.status;
        request.headAt = systemClock.now();
      },
      end: (failure) => {
        request.endedAt = systemClock.now();
        if (failure !== undefined) request.failure = messageOf(failure);
      },
    };
  }
}
