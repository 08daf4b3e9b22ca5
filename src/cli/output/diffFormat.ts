import { differenceLine } from './differenceLine.js';
import { differencesOf } from './differencesOf.js';
import type { EventFormat } from './objectFormats.js';
import { paint } from './paint.js';
import { printable } from './printable.js';
import type { Line } from './span.js';
import { typeStyle } from './typeStyle.js';

/** The format `diff` of `-o`: a line for each event, and below an update a line for each field that it changed. */
export const diffFormat: EventFormat = (event, { resource, showKind, colour }) => {
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
