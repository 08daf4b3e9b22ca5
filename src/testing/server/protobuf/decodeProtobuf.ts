import type { Json, JsonObject } from '../json.js';
import { messageOfKind } from './messageOfKind.js';
import { messages } from './messages.js';
import { fieldsOf, ProtobufError } from './wireReader.js';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly map: boolean;
}

type Fields = ReadonlyMap<number, Field>;

const parsed = new Map<string, Fields>();

function fieldsOfMessage(message: string): Fields {
  let fields = parsed.get(message);
  if (fields === undefined) {
    const entries = (messages[message] ?? '').split(', ').map((entry): [number, Field] => {
      const [number = '0', name = '', type = ''] = entry.split(' ');
      return [
        Number(number),
        { name, type: type.replace(/^[[{](.*)[\]}]$/, '$1'), repeated: type.startsWith('['), map: type.startsWith('{') },
      ];
    });
    fields = new Map(entries);
    parsed.set(message, fields);
  }
  return fields;
}

// Zero is written for every field that is no pointer in Go, and means nothing there. Of these it means something.
const meaningfulZeros = new Set(
  `replicas minReplicas completions parallelism backoffLimit suspend immutable optional enableServiceLinks
  automountServiceAccountToken terminationGracePeriodSeconds activeDeadlineSeconds ttlSecondsAfterFinished successfulJobsHistoryLimit
  failedJobsHistoryLimit startingDeadlineSeconds revisionHistoryLimit progressDeadlineSeconds gracePeriodSeconds minAvailable maxUnavailable
  maxSurge targetPort port number value runAsUser runAsGroup fsGroup runAsNonRoot privileged allowPrivilegeEscalation readOnlyRootFilesystem
  hostUsers tolerationSeconds controller blockOwnerDeletion leaseTransitions orphanDependents stabilizationWindowSeconds
  allocateLoadBalancerNodePorts shareProcessNamespace`.split(/\s+/),
);

function numbersIn(bytes: Buffer): ReadonlyMap<number, number | Buffer> {
  return new Map([...fieldsOf(bytes)].map(({ number, value }) => [number, value]));
}

function numberOf(value: number | Buffer | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function textOf(value: number | Buffer | undefined): string {
  return Buffer.isBuffer(value) ? value.toString() : '';
}

function timeOf(bytes: Buffer, micro: boolean): Json | undefined {
  const fields = numbersIn(bytes);
  const seconds = numberOf(fields.get(1));
  if (seconds <= 0) return undefined;
  const text = new Date(seconds * 1_000).toISOString().slice(0, 19);
  const micros = String(Math.floor(numberOf(fields.get(2)) / 1_000)).padStart(6, '0');
  return micro ? `${text}.${micros}Z` : `${text}Z`;
}

function jsonOf(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(textOf(numbersIn(bytes).get(1))) as Json;
  } catch {
    return undefined;
  }
}

/** Whether a value is what Go writes for a field that was not set. */
function isNothing(value: Json | undefined, name: string): boolean {
  if (value === undefined || value === '') return true;
  if (value === 0 || value === false) return !meaningfulZeros.has(name);
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0 && !keptWhenEmpty.has(name)
  );
}

// Messages that say something by being there.
const keptWhenEmpty = new Set(['emptyDir', 'podSelector', 'namespaceSelector']);

function valueOf(type: string, value: number | Buffer): Json | undefined {
  if (typeof value === 'number') return type === 'b' ? value !== 0 : value;
  switch (type) {
    case 's':
      return value.toString();
    case 'y':
      return value.toString('base64');
    case 'time':
    case 'microtime':
      return timeOf(value, type === 'microtime');
    case 'quantity':
      return textOf(numbersIn(value).get(1));
    case 'intstr': {
      const fields = numbersIn(value);
      return numberOf(fields.get(1)) === 0 ? numberOf(fields.get(2)) : textOf(fields.get(3));
    }
    case 'json':
      return jsonOf(value);
    case '[s]':
      return [...fieldsOf(value)].map(({ value: item }) => textOf(item));
    default:
      return objectOf(type, value);
  }
}

/** A text for what is absent in an entry of a map: Go leaves out what is empty. */
function mapEntry(type: string, bytes: Buffer): readonly [string, Json] {
  const fields = numbersIn(bytes);
  const value = fields.get(2);
  return [textOf(fields.get(1)), (value === undefined ? undefined : valueOf(type, value)) ?? ''];
}

function objectOf(message: string, bytes: Buffer): JsonObject {
  const known = fieldsOfMessage(message);
  const result = new Map<string, Json>();
  for (const { number, value } of fieldsOf(bytes)) {
    const field = known.get(number);
    if (field === undefined) continue;
    const { name, type, repeated, map } = field;
    if (map && Buffer.isBuffer(value)) {
      result.set(name, { ...(result.get(name) as JsonObject | undefined), ...Object.fromEntries([mapEntry(type, value)]) });
      continue;
    }
    const decoded = valueOf(type, value);
    if (name === '.') for (const [inner, content] of Object.entries(decoded as JsonObject)) result.set(inner, content ?? null);
    else if (repeated) result.set(name, [...((result.get(name) as readonly Json[] | undefined) ?? []), decoded ?? null]);
    else if (decoded !== undefined && !isNothing(decoded, name)) result.set(name, decoded);
  }
  return Object.fromEntries(result);
}

const magic = Buffer.from('k8s\0');

/**
 * Decodes an object as clients of Kubernetes' own make send it: an envelope that says the kind, around the message.
 *
 * @returns the object as its JSON would be; undefined when its kind is none of those that are known here.
 * @throws ProtobufError when it cannot be decoded.
 */
export function decodeProtobuf(body: Buffer): JsonObject | undefined {
  if (!body.subarray(0, magic.length).equals(magic))
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  const envelope = numbersIn(body.subarray(magic.length));
  const [typeMeta, raw] = [envelope.get(1), envelope.get(2)];
  const names = Buffer.isBuffer(typeMeta) ? numbersIn(typeMeta) : new Map<number, Buffer>();
  const [apiVersion, kind] = [textOf(names.get(1)), textOf(names.get(2))];
  const message = messageOfKind[`${apiVersion} ${kind}`];
  if (message === undefined) return undefined;
  return { apiVersion, kind, ...(Buffer.isBuffer(raw) && objectOf(message, raw)) };
}
