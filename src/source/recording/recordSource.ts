import { defer, map, type OperatorFunction, type SchedulerLike, startWith } from 'rxjs';
import type { SourceEvent } from '../../api/events.js';
import { lineOf, type RecordedResource, type RecordingHeader } from './recording.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { withoutData } from './withoutData.js';
import { dateOf, schedulerOf } from '../../rx/schedulerOf.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';

/** `REDACTED` in base64, so that consumers can still decode the values. */
const redactedData = 'UkVEQUNURUQ=';
const redactedText = 'REDACTED';

/** Kinds that may hold a Secret's data: a Secret, metadata alone, or no kind. */
const suspects: ReadonlySet<string | undefined> = new Set(['Secret', 'PartialObjectMetadata', undefined]);

/**
 * The object without the data of a Secret: names of entries stay, values are replaced, also in kubectl's last-applied annotation. An
 * object without a `kind` is treated as a Secret. Any other is returned unchanged.
 */
function redactSecret<T>(object: T): T {
  return suspects.has((object as KubernetesObject).kind) ? (withoutData(object as object, redactedData, redactedText) as T) : object;
}

/** Options of {@link recordSource}. */
export interface RecordSourceOptions {
  /** The resource recorded: written to the first line, so that the objects can be displayed by their kind. */
  readonly resource?: RecordedResource | undefined;
  /** The clock. @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

const optionRules: OptionRules<RecordSourceOptions> = { resource: rules.object, scheduler: rules.scheduler };

/**
 * Records source events as lines of JSON, without line breaks, the first one a header. `replaySource` makes a source of them again.
 *
 * ```text
 * source  --i--p--r--------a--|
 * result  h-i--p--r--------a--|        h: the header; each other line has its time
 * ```
 *
 * - Values of Secrets are left out, also in kubectl's last-applied annotation; the names of entries stay.
 * - Of an error, the code and the message are recorded, and the Status of an API server's answer; never a request.
 * - Each subscription makes a recording of its own. Errors and completion are passed on.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { listerWatcher, recordSource, reflect } from 'rx-informer/pipeline';
 *
 * reflect(listerWatcher(createClient(), resources.core.v1.pods))
 *   .pipe(recordSource({ resource: resources.core.v1.pods }))
 *   .subscribe((line) => console.log(line));
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function recordSource<T>(options: RecordSourceOptions = {}): OperatorFunction<SourceEvent<T>, string> {
  checkOptions('recordSource', options, optionRules);
  const { resource } = options;
  const scheduler = schedulerOf(options.scheduler);
  const recorded = (event: SourceEvent<T>): SourceEvent<T> => {
    if (event.type === 'page') return { ...event, items: event.items.map(redactSecret) };
    return 'object' in event ? { ...event, object: redactSecret(event.object) } : event;
  };
  return (source) =>
    defer(() => {
      const startedAt = scheduler.now();
      const header: RecordingHeader = {
        recording: 1,
        ...(resource !== undefined && { resource: described(resource) }),
        startedAt: new Date(dateOf(scheduler)).toISOString(),
      };
      return source.pipe(
        map((event) => lineOf(recorded(event), startedAt, scheduler.now())),
        startWith(JSON.stringify(header)),
      );
    });
}

function described({ group, version, plural, kind, namespaced }: RecordedResource): RecordedResource {
  return { group, version, plural, kind, namespaced };
}
