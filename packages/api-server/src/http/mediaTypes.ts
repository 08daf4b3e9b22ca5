import { notAcceptable, unknownMediaType } from '../status/statusErrors.js';

/** One clause of an Accept header, or a Content-Type. */
export interface MediaType {
  /** For example `application/json`, in lower case. */
  readonly type: string;
  /** The type as it was sent: of an Accept header its case counts. */
  readonly sent: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The form that a client requests for an answer. */
export interface AcceptedForm {
  readonly encoding: 'json' | 'yaml' | 'protobuf';
  /** The kind that the answer is converted to, for example `Table`; undefined for no conversion. */
  readonly as: ConvertedForm | undefined;
  readonly pretty: boolean;
  /** Whether `metadata.managedFields` is left out of objects (KEP-5958): `drop=metadata.managedFields`. */
  readonly drop?: boolean;
}

/** A kind that answers can be converted to. */
export interface ConvertedForm {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** The forms that an endpoint offers in addition to its own. */
export interface OfferedForms {
  readonly yaml: boolean;
  /** Whether the endpoint also streams: the 406 message then lists the stream types as well. */
  readonly streams?: boolean;
  /** Whether objects are custom resources, of which protobuf has the metadata only. */
  readonly custom?: boolean;
  /** Whether the path has a list of media types that a request is compared with: paths of custom resources and of groups have none. */
  readonly listed?: boolean;
  readonly converts: (form: ConvertedForm) => boolean;
}

const known = new Map<string, MediaType>();
const maxKnown = 100;

/** Parses one media type with its parameters. Cached, since clients send the same few types again and again. */
export function parseMediaType(text: string): MediaType {
  const found = known.get(text);
  if (found !== undefined) return found;
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [name = '', value] = part.split('=', 2);
    if (value !== undefined) parameters.set(name.trim().toLowerCase(), value.trim());
  }
  const quality = Number(parameters.get('q') ?? '1');
  const parsed = { type: type.toLowerCase(), sent: type, parameters, quality: Number.isFinite(quality) ? quality : 1 };
  if (known.size < maxKnown) known.set(text, parsed);
  return parsed;
}

function parseAccept(header: string): MediaType[] {
  const clauses = header.split(',').slice(0, 100).map(parseMediaType);
  return clauses.filter(({ type, sent }) => type !== '' && type === sent).sort((a, b) => b.quality - a.quality);
}

const jsonTypes = new Set(['application/json', '*/*']);
export const yamlType = 'application/yaml';
export const protobufType = 'application/vnd.kubernetes.protobuf';

const isListed = ({ custom = false, listed = !custom }: OfferedForms): boolean => listed;

function encodingOf({ type }: MediaType, offered: OfferedForms): AcceptedForm['encoding'] | undefined {
  if (jsonTypes.has(type) || (type === 'application/*' && !isListed(offered))) return 'json';
  if (type === protobufType) return 'protobuf';
  return type === yamlType && offered.yaml ? 'yaml' : undefined;
}

/** Tables are not encoded in protobuf, and custom resources neither. */
function isEncoded(encoding: AcceptedForm['encoding'], as: ConvertedForm | undefined, { custom = false }: OfferedForms): boolean {
  return encoding !== 'protobuf' || (as === undefined ? !custom : as.kind !== 'Table');
}

function formOf(clause: MediaType, offered: OfferedForms): AcceptedForm | undefined {
  const encoding = encodingOf(clause, offered);
  if (encoding === undefined) return undefined;
  if ((clause.parameters.get('stream') ?? 'watch') !== 'watch') return undefined;
  const pretty = clause.parameters.get('pretty') === '1';
  const [group, version] = [clause.parameters.get('g'), clause.parameters.get('v')];
  const kind = clause.parameters.get('as') ?? (group === undefined && version === undefined ? undefined : '');
  const drop = clause.parameters.get('drop') === 'metadata.managedFields';
  const as = kind === undefined ? undefined : { kind, group: group ?? '', version: version ?? '' };
  if (!isEncoded(encoding, as, offered) || (as !== undefined && !offered.converts(as))) return undefined;
  return { encoding, as, pretty, drop };
}

/**
 * Chooses the form of an answer: the first clause, by quality and then by order, that the endpoint can serve.
 *
 * @throws StatusError 406 when there is no such clause.
 */
export function negotiate(accept: string | undefined, offered: OfferedForms): AcceptedForm {
  const clauses = accept === undefined ? [] : parseAccept(accept);
  if (clauses.length === 0 && (accept ?? '').trim() === '') return { encoding: 'json', as: undefined, pretty: false };
  for (const clause of clauses) {
    const form = formOf(clause, offered);
    if (form !== undefined) return form;
  }
  const known = clauses.some(({ type }) => jsonTypes.has(type) || type === yamlType || type === protobufType);
  if (!known && isListed(offered)) throw unknownMediaType(406, offered.streams === true);
  const types = offered.yaml
    ? ['application/json', yamlType, protobufType]
    : ['application/json', protobufType].map((type) => `${type};stream=watch`);
  throw notAcceptable(`only the following media types are accepted: ${types.join(', ')}`);
}
