import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { resourceName } from '../../api/resource.js';
import type { ResourceEvent } from '../../api/events.js';
import { differenceLine, differencesOf } from './differencesOf.js';
import { type Line, paint } from './line.js';
import { typeStyle } from './looks.js';
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

/** A line for each event, and after an update a line for each changed field. */
const diffFormat: EventFormat = (event, { resource, showKind, colour }) => {
  if (event.type === 'synced') return '';
  const kind = showKind ? `${resource.kind.toLowerCase()}/` : '';
  const version = printable(event.object.metadata?.resourceVersion ?? 'unknown');
  const head: Line = [
    { text: event.type.padEnd('updated'.length), style: typeStyle[event.type] },
    ' ',
    { text: `${kind}${printable(event.key)}`, style: 'bold' },
    { text: ` at resource version ${version}`, style: 'dim' },
  ];
  const differences =
    event.type === 'updated' ? differencesOf(event.oldObject, event.object).map((one): Line => ['  ', ...differenceLine(one)]) : [];
  return [head, ...differences].map((line) => `${paint(line, colour)}\n`).join('');
};

/** The formats of `-o` that print text for each event. */
export const objectFormats: Readonly<Record<'diff' | 'json' | 'yaml' | 'name' | 'events', EventFormat>> = {
  diff: diffFormat,
  json: (event) => (event.type === 'synced' ? '' : `${printableJson({ type: event.type, object: event.object })}\n`),
  yaml: (event) => (event.type === 'synced' ? '' : `---\n# ${event.type} ${printable(event.key)}\n${printableYaml(event.object)}`),
  name: (event, subject) => (event.type === 'synced' ? '' : nameLine(event, subject)),
  events: (event) =>
    event.type === 'synced'
      ? `synced   at resource version ${printable(event.resourceVersion)}\n`
      : `${event.type.padEnd(8)} ${printable(event.key)} at resource version ${printable(event.object.metadata?.resourceVersion ?? 'unknown')}${marksOf(event)}\n`,
};

/** A value of `-o`: a table, with its first columns or all, or text for each event. */
export type Output = 'table' | 'wide' | keyof typeof objectFormats;

/** The values of `-o`. */
export const outputs: readonly string[] = ['table', 'wide', ...Object.keys(objectFormats)];
