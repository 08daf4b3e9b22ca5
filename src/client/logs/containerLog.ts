import {
  catchError,
  concat,
  defer,
  EMPTY,
  filter,
  first,
  Observable,
  of,
  type OperatorFunction,
  repeat,
  type SchedulerLike,
  switchMap,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { ApiError } from '../../api/errors/apiError.js';
import { resourcePath } from '../../api/resource.js';
import { resources } from '../../api/resources.js';
import type { KubeClient } from '../kubeClient.js';
import { RequestError, systemCode } from '../requests/requestError.js';
import type { V1ContainerStatus, V1Pod } from '../../api/kubernetes/coreV1.js';

/**
 * The further lines to expect from a container's log: `running`, more lines; `waiting`, lines after the container (re)starts; `finished`, only lines already
 * written;
 * `gone`, nothing; `unknown`, nothing, since the pod has no container of that name.
 */
export type ContainerState = 'running' | 'waiting' | 'finished' | 'gone' | 'unknown';

function statusesOf({ status }: V1Pod): readonly V1ContainerStatus[] {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
}

/** The names of a pod's containers, in the order in which they start. */
export function containersOf({ spec }: V1Pod): readonly string[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  return [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
}

/** Whether a container is running or has run. */
export function hasStarted(pod: V1Pod, container: string): boolean {
  const status = statusesOf(pod).find(({ name }) => name === container);
  const { state, lastState } = status ?? {};
  return [state?.running, state?.terminated, lastState?.terminated].some((one) => one !== undefined);
}

/** Whether a container that has ended will be restarted. */
function startsAgain({ spec }: V1Pod, container: string, exitCode: number): boolean {
  const { restartPolicy = 'Always', initContainers = [], containers = [] } = spec ?? {};
  const initial = initContainers.find(({ name }) => name === container);
  if (initial !== undefined) return initial.restartPolicy === 'Always' || (exitCode !== 0 && restartPolicy !== 'Never');
  if (!containers.some(({ name }) => name === container)) return false;
  return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
}

/** The state of a pod's container with regard to its log. */
export function containerState(pod: V1Pod, container: string): ContainerState {
  const { state } = statusesOf(pod).find(({ name }) => name === container) ?? {};
  if (state === undefined && pod.spec !== undefined && !containersOf(pod).includes(container)) return 'unknown';
  if (state?.running !== undefined) return 'running';
  const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  if (isOver) return 'finished';
  const { terminated } = state ?? {};
  if (terminated === undefined) return 'waiting';
  const isGoing = pod.metadata?.deletionTimestamp !== undefined;
  return !isGoing && startsAgain(pod, container, terminated.exitCode) ? 'waiting' : 'finished';
}

/** A line of a log with its timestamp. */
interface StampedLine {
  /** RFC 3339, with up to nine digits of a second. */
  readonly time: string;
  readonly text: string;
}

function stamped(line: string): StampedLine {
  const space = line.indexOf(' ');
  const time = space < 0 ? line : line.slice(0, space);
  // A runtime that writes no timestamps: take the whole line.
  if (!/^\d{4}-\d\d-\d\dT/.test(time)) return { time: '', text: line };
  return { time, text: space < 0 ? '' : line.slice(space + 1) };
}

/**
 * Splits bytes into lines. An incomplete last line is dropped when the bytes fail. When they complete, it is emitted, unless `cut` takes it.
 *
 * ```text
 * bytes   "a\nb" --- "c\n" --- "d" |
 * lines   a          bc        d   |
 * ```
 */
function logLines(cut?: (line: StampedLine) => void): OperatorFunction<Uint8Array, StampedLine> {
  return (bytes$) =>
    new Observable((subscriber) => {
      const decoder = new TextDecoder();
      let rest = '';
      const push = (text: string): void => {
        const lines = text.split('\n');
        // Concatenation copies nothing yet: a long line arrives in many pieces.
        lines[0] = rest + (lines[0] ?? '');
        rest = lines.pop() ?? '';
        for (const line of lines) subscriber.next(stamped(line));
      };
      return bytes$.subscribe({
        next: (bytes) => push(decoder.decode(bytes, { stream: true })),
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          push(decoder.decode());
          if (rest !== '' && cut !== undefined) cut(stamped(rest));
          else if (rest !== '') subscriber.next(stamped(rest));
          subscriber.complete();
        },
      });
    });
}

/** A timestamp in a form that sorts: seconds since 1970, and nanoseconds. */
function sortable(time: string): readonly [seconds: number, nanoseconds: number] {
  const [, whole = '', fraction = '', zone = ''] = /^([^.]*?)(?:\.(\d+))?(Z|[-+]\d\d:\d\d)$/.exec(time) ?? [];
  return [Date.parse(whole + zone), Number(fraction.padEnd(9, '0').slice(0, 9))];
}

function compareTimes(a: string, b: string): number {
  const [first, second] = [sortable(a), sortable(b)];
  return first[0] - second[0] || first[1] - second[1];
}

/**
 * How far a log was read. A server that is asked for a log since the last line sends that whole second again: lines already seen are skipped.
 */
class LogPosition {
  /** The time of the last line; `''` before the first. */
  time = '';
  /** The number of lines with that time. */
  private same = 0;
  private skipping = false;
  private skipped = 0;

  /** Prepares to read again from the last line. */
  resume(): void {
    this.skipping = this.time !== '';
    this.skipped = 0;
  }

  /** Whether a line is new. */
  take({ time }: StampedLine): boolean {
    if (time === '') return true;
    if (this.skipping) {
      const order = compareTimes(time, this.time);
      if (order < 0) return false;
      if (order === 0 && this.skipped < this.same) {
        this.skipped += 1;
        return false;
      }
      // All further lines are new, even if their time is earlier: clocks are set back.
      this.skipping = false;
    }
    this.same = time === this.time ? this.same + 1 : 1;
    this.time = time;
    return true;
  }
}

/** The options of a log request. */
export interface LogRequest {
  readonly follow: boolean;
  readonly previous: boolean;
  /** The number of lines from the end; all when absent. */
  readonly tail?: number | undefined;
  /** The time of the first line; the start of the log when absent. */
  readonly since: Date | undefined;
  /** The maximum age of lines, by the server's clock; any when absent. */
  readonly sinceMs?: number | undefined;
  readonly idleTimeoutMs: number;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
}

/** The container whose log is read. */
export interface LogTarget {
  readonly namespace: string;
  readonly pod: string;
  /** `''` for the only container. */
  readonly container: string;
}

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** @param elapsedMs - milliseconds since the first request. */
function pathOf({ namespace, pod, container }: LogTarget, request: LogRequest, { time }: LogPosition, elapsedMs: number): string {
  const query = new URLSearchParams({ timestamps: 'true' });
  if (container !== '') query.set('container', container);
  if (request.follow) query.set('follow', 'true');
  if (request.previous) query.set('previous', 'true');
  // A repeated request continues from the last line.
  if (time !== '') query.set('sinceTime', time);
  else if (request.since !== undefined) query.set('sinceTime', request.since.toISOString());
  else if (request.sinceMs !== undefined) query.set('sinceSeconds', String(Math.ceil((request.sinceMs + elapsedMs) / 1_000)));
  if (time === '' && request.tail !== undefined) query.set('tailLines', String(request.tail));
  return `${resourcePath(resources.core.v1.pods, { namespace, name: pod, subresource: 'log' })}?${query.toString()}`;
}

/** Whether the server refused for good, or the client is closed, or has never had a usable kubeconfig. */
function isFinal(error: unknown, answered: boolean): boolean {
  if (error instanceof ApiError) return error.code === 401 || error.code === 403;
  const code = systemCode(error);
  return code === 'ERR_CLOSED' || (code === 'ERR_KUBECONFIG' && !answered);
}

/** Whether the server has no such log now: the pod is gone, or the container has not started. */
const isMissing = (error: unknown): boolean => error instanceof ApiError && (error.code === 400 || error.code === 404);

interface LogSource {
  readonly client: Pick<KubeClient, 'readPath'>;
  readonly target: LogTarget;
  readonly request: LogRequest;
  /** The state of the container; called after each attempt. */
  stateOf(): Observable<ContainerState>;
}

/** One log, over all attempts to read it. */
class LogReading {
  private readonly source: LogSource;
  private readonly position = new LogPosition();
  private readonly begunAt: number;
  private delayMs = firstDelayMs;
  private answered = false;
  /** The error of the last attempt. */
  private failure: { readonly error: unknown } | undefined;
  /** The incomplete last line of the last attempt: a server that is stopped ends its answers well, wherever they are. */
  private cut: StampedLine | undefined;

  constructor(source: LogSource) {
    this.source = source;
    this.begunAt = source.request.scheduler.now();
  }

  attempt(): Observable<StampedLine> {
    const { position } = this;
    const { client, target, request } = this.source;
    const { follow, idleTimeoutMs, scheduler } = request;
    position.resume();
    this.failure = undefined;
    this.cut = undefined;
    const bytes$ = client.readPath(pathOf(target, request, position, scheduler.now() - this.begunAt));
    const next = (): void => {
      this.delayMs = firstDelayMs;
      this.answered = true;
    };
    const message = `The log of ${target.pod} failed: nothing came for ${idleTimeoutMs} ms`;
    const silent = () => throwError(() => new RequestError({ code: 'ERR_TIMEOUT', message }));
    return (idleTimeoutMs === Infinity ? bytes$ : bytes$.pipe(timeout({ each: idleTimeoutMs, scheduler, with: silent }))).pipe(
      logLines(follow ? (line) => (this.cut = line) : undefined),
      filter((line) => position.take(line)),
      tap({ next, complete: () => (this.answered = true) }),
    );
  }

  /** What is left at the end of the log: an incomplete line. */
  last(): Observable<StampedLine> {
    return this.cut !== undefined && this.position.take(this.cut) ? of(this.cut) : EMPTY;
  }

  /** Continues after a failure, unless it is final. */
  failed(error: unknown): Observable<never> {
    if (isFinal(error, this.answered)) throw error;
    this.failure = { error };
    return EMPTY;
  }

  /** Emits when to make another attempt; completes when the log is at its end. */
  again(): Observable<boolean> {
    const { random, scheduler } = this.source.request;
    const wait$ = defer(() => {
      const waitMs = this.delayMs * (0.5 + random() / 2);
      this.delayMs = Math.min(this.delayMs * 2, longestDelayMs);
      return timer(waitMs, scheduler);
    });
    return wait$.pipe(
      switchMap(() => this.source.stateOf()),
      repeat(),
      first((state) => state !== 'waiting'),
      switchMap((state) => this.decide(state)),
    );
  }

  private decide(state: ContainerState): Observable<boolean> {
    const { failure, answered } = this;
    const isOver = state === 'unknown' || (state === 'gone' && !answered && isMissing(failure?.error));
    if (failure !== undefined && isOver) return throwError(() => failure.error);
    if (state === 'gone' || state === 'unknown') return EMPTY;
    // The log was read completely, unless the connection broke.
    return state === 'finished' && (failure === undefined || isMissing(failure.error)) ? EMPTY : of(true);
  }
}

/** The log of one container, reconnected until its end. */
export function containerLog(source: LogSource): Observable<StampedLine> {
  return defer(() => {
    const reading = new LogReading(source);
    const attempt$ = defer(() => reading.attempt());
    if (!source.request.follow) return attempt$;
    const attempts$ = attempt$.pipe(
      catchError((error: unknown) => reading.failed(error)),
      repeat({ delay: () => reading.again() }),
    );
    return concat(
      attempts$,
      defer(() => reading.last()),
    );
  });
}
