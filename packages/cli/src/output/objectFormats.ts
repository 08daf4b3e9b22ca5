import type { ObjectEvent, ResourceEvent, UnstructuredObject } from 'rx-informer';
import { resourceName } from 'rx-informer/internal';
import { differenceLine, differencesOf } from './differencesOf.js';
import { type Line, paint } from './line.js';
import { typeStyle } from './looks.js';
import { printable, printableJson, printableYaml } from './printable.js';
import type { WatchSubject } from './watchSubject.js';

/** Formats one event as text that ends with a newline; `''` for events that the format leaves out. */
export type EventFormat = (event: ResourceEvent<UnstructuredObject>, subject: WatchSubject) => string;

/** A format for events of objects, which leaves `synced` out. */
export function ofObjects(format: (event: ObjectEvent<UnstructuredObject>, subject: WatchSubject) => string): EventFormat {
  return (event, subject) => (event.type === 'synced' ? '' : format(event, subject));
}

const versionOf = ({ object }: ObjectEvent<UnstructuredObject>): string => printable(object.metadata?.resourceVersion ?? 'unknown');

function marksOf(event: ObjectEvent<UnstructuredObject>): string {
  const marks = [
    event.type === 'added' && event.initial ? 'initial' : '',
    event.inferred ? 'inferred' : '',
    event.type === 'deleted' && event.finalStateUnknown ? 'final state unknown' : '',
  ].filter((mark) => mark !== '');
  return marks.length === 0 ? '' : ` (${marks.join(', ')})`;
}

const eventLine = ofObjects(
  (event) => `${event.type.padEnd(8)} ${printable(event.key)} at resource version ${versionOf(event)}${marksOf(event)}\n`,
);

/** The formats of `-o` that print text for each event. */
export const objectFormats: Readonly<Record<'json' | 'yaml' | 'name' | 'events' | 'diff', EventFormat>> = {
  json: ofObjects(({ type, object }) => `${printableJson({ type, object })}\n`),
  yaml: ofObjects(({ type, key, object }) => `---\n# ${type} ${printable(key)}\n${printableYaml(object)}`),
  name: ofObjects(({ type, key, object }, { resource: { group, singular, kind } }) => {
    const name = `${resourceName({ group, plural: singular ?? kind.toLowerCase() })}/${printable(object.metadata?.name ?? key)}`;
    return type === 'deleted' ? `${name} deleted\n` : `${name}\n`;
  }),
  events: (event, subject) =>
    event.type === 'synced' ? `synced   at resource version ${printable(event.resourceVersion)}\n` : eventLine(event, subject),
  // A line for each event, and after an update a line for each changed field.
  diff: ofObjects((event, { resource, showKind, colour }) => {
    const kind = showKind ? `${resource.kind.toLowerCase()}/` : '';
    const head: Line = [
      { text: event.type.padEnd('updated'.length), style: typeStyle[event.type] },
      ' ',
      { text: `${kind}${printable(event.key)}`, style: 'bold' },
      { text: ` at resource version ${versionOf(event)}`, style: 'dim' },
    ];
    const changed = event.type === 'updated' ? differencesOf(event.oldObject, event.object) : [];
    const lines = changed.map((one): Line => ['  ', ...differenceLine(one)]);
    return [head, ...lines].map((line) => `${paint(line, colour)}\n`).join('');
  }),
};
