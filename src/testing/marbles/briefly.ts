import { InformerError } from '../../api/errors/informerError.js';

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function objectText(value: unknown): string {
  const metadata = isFields(value) && isFields(value['metadata']) ? value['metadata'] : {};
  const { namespace, name, resourceVersion } = metadata;
  const key = [namespace, name].filter((part) => typeof part === 'string').join('/');
  return typeof resourceVersion === 'string' ? `${key}@${resourceVersion}` : key;
}

function eventText(type: string, event: Fields): string {
  const flags = ['initial', 'inferred', 'resync', 'finalStateUnknown'].filter((flag) => event[flag] === true);
  const version = typeof event['resourceVersion'] === 'string' && event['object'] === undefined ? `at ${event['resourceVersion']}` : '';
  const items = Array.isArray(event['items']) ? event['items'].map(objectText).join(' ') : '';
  const change = event['object'] === undefined ? '' : objectText(event['object']);
  const from = event['oldObject'] === undefined ? '' : `(was ${objectText(event['oldObject'])})`;
  const state = typeof event['state'] === 'string' ? event['state'] : '';
  const error = event['error'] instanceof Error ? briefly(event['error']) : '';
  return [type, change, from, items, version, state, error, ...flags].filter((part) => part !== '').join(' ');
}

const signs: Readonly<Record<string, string>> = { added: '+', updated: '~', deleted: '-' };

function changeText(cause: string, events: readonly unknown[], { synced }: Fields): string {
  const parts = events.map((event) => (isFields(event) ? `${signs[String(event['type'])] ?? '?'}${objectText(event['object'])}` : '?'));
  return `${cause} {${parts.join(' ')}}${synced === true ? '' : ' not synced'}`;
}

/** A short form of a value: changes and events by their objects, errors by their message, anything else as JSON. */
export function briefly(value: unknown): string {
  if (value instanceof InformerError) return `${value.code} ${value.message}`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (isFields(value) && typeof value['cause'] === 'string' && Array.isArray(value['events'])) {
    return changeText(value['cause'], value['events'], value);
  }
  if (isFields(value) && typeof value['type'] === 'string') return eventText(value['type'], value);
  if (isFields(value) && isFields(value['metadata'])) return objectText(value);
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return value === undefined ? 'undefined' : typeof value;
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}
