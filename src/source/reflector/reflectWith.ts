import { Observable } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListerWatcher } from '../../api/listerWatcher.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { meteredSource } from './meteredSource.js';
import { nothingKnown } from './nothingKnown.js';
import { Reflector } from './reflector.js';
import type { ReflectSettings } from './reflectSettings.js';

/**
 * {@link reflect} by settings that are complete: each subscription is a reflector of its own.
 *
 * @param from - a version to watch from at first, in the place of a list. The server is trusted once it has reached that version.
 * @internal
 */
export function reflectWith<T extends KubernetesObject>(
  source: ListerWatcher<T>,
  settings: ReflectSettings,
  from?: string,
): Observable<SourceEvent<T>> {
  return new Observable((subscriber) => {
    const { resource = 'objects', scope, expected, watchList } = source;
    const about = {
      resource,
      ...(scope !== undefined && { scope }),
      ...(expected !== undefined && { expected }),
      ...(watchList !== undefined && { watchList }),
    };
    const reflector = new Reflector<T>({
      source: meteredSource(source, settings, (error) => reflector.happens({ type: 'traceFailed', error })),
      context: { settings, source: about, refusals: settings.watchListRefusals ?? new Map<string, number>() },
      output: subscriber,
      ...(from !== undefined && { memory: { ...nothingKnown, version: from, doubtedAt: from }, resumes: true }),
    });
    subscriber.add(() => reflector.stop());
    reflector.start();
  });
}
