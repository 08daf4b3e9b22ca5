import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { resourceName } from '../../api/resource.js';
import type { ResourceEvent } from '../../api/events.js';
import { printable, printableJson, printableYaml } from './printable.js';
import type { WatchSubject } from './watchSubject.js';

type ObjectEvent = Exclude<ResourceEvent<UnstructuredObject>, { type: 'synced' }>;

/** Formats one event as text that ends with a newline; `''` for events that the format leaves out. */
export type EventFormat = (event: ResourceEvent<UnstructuredObject>, subject: WatchSubject) => string;

function nameLine(event: ObjectEvent, { resource }: WatchSubject): string {
  const name = `${resourceName({ group: resource.group, plural: resource.singular ?? resource.kind.toLowerCase() })}/${printable(event.object.metadata?.name ?? event.key)}`;
  return event.type === 'deleted' ? `${name} deleted\n` : `${name}\n`;
}

function marksOf(event: ObjectEvent): string {
  const marks = [
    event.type === 'added' && event.initial ? 'initial' : '',
    event.inferred ? 'inferred' : '',
    event.type === 'deleted' && event.finalStateUnknown ? 'final state unknown' : '',
  ].filter((mark) => mark !== '');
  return marks.length === 0 ? '' : ` (${marks.join(', ')})`;
}

/** The formats of `-o` that print text for each event. */
export const objectFormats: Readonly<Record<'json' | 'yaml' | 'name' | 'events', EventFormat>> = {
  json: (event) => (event.type === 'synced' ? '' : `${printableJson({ type: event.type, object: event.object })}\n`),
  yaml: (event) => (event.type === 'synced' ? '' : `---\n# ${event.type} ${printable(event.key)}\n${printableYaml(event.object)}`),
  name: (event, subject) => (event.type === 'synced' ? '' : nameLine(event, subject)),
  events: (event) =>
    event.type === 'synced'
      ? `synced   at resource version ${printable(event.resourceVersion)}\n`
      : `${event.type.padEnd(8)} ${printable(event.key)} at resource version ${printable(event.object.metadata?.resourceVersion ?? 'unknown')}${marksOf(event)}\n`,
};
