/** A request of a client, and what became of it. */
export interface LoggedRequest {
  readonly number: number;
  /** For example `GET /api/v1/pods`: without credentials. */
  readonly name: string;
  /** Milliseconds since 1970, by a clock that never goes back. */
  readonly startedAt: number;
  headAt?: number;
  endedAt?: number;
  status?: number;
  bytes: number;
  failure?: string;
}

/** How many requests are kept. */
const kept = 200;

/** The last requests of all clients of the process. */
export class RequestLog {
  private readonly requests: LoggedRequest[] = [];
  private count = 0;

  begin(name: string): LoggedRequest {
    this.count += 1;
    const request: LoggedRequest = { number: this.count, name, startedAt: requestClock(), bytes: 0 };
    this.requests.push(request);
    // One that is under way, as watches are for hours, stays longer than those that are over.
    if (this.requests.length > kept)
      this.requests.splice(
        Math.max(
          0,
          this.requests.findIndex(({ endedAt }) => endedAt !== undefined),
        ),
        1,
      );
    return request;
  }

  all(): readonly LoggedRequest[] {
    return this.requests;
  }

  /** How many there have been. */
  total(): number {
    return this.count;
  }
}

/** The clock of the log. */
export function requestClock(): number {
  // eslint-disable-next-line no-restricted-properties -- clients with different schedulers share one log
  return performance.timeOrigin + performance.now();
}
