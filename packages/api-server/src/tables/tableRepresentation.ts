import type { KubernetesObject, UnstructuredObject } from 'rx-informer';
import type { ServedResource } from '../kinds/servedResource.js';
import { metadataOf } from '../read/metadataBytes.js';
import { bodyOf, bookmarkMetadata, type Representation } from '../read/representation.js';
import { badRequest } from '../status/statusErrors.js';
import type { StoredObject } from '../store/storedObject.js';
import { columnsOf } from './columnsOf.js';
import { printerColumns } from './printerColumns.js';
import type { TableColumn } from './tableColumn.js';

/** The options of a Table. */
export interface TableRequest {
  /** `v1` or `v1beta1` */
  readonly version: string;
  /** The parameter `includeObject` as sent. */
  readonly includeObject: string;
  readonly now: () => number;
}

type IncludeObject = 'None' | 'Metadata' | 'Object';

function includeObjectOf(text: string): IncludeObject {
  if (text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  const expected = "must be 'Metadata', 'Object', 'None', or empty";
  throw badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: "${text}": ${expected}`);
}

function definitionsOf(columns: readonly TableColumn[]): string {
  return JSON.stringify(columns.map(({ name, type, format, description, priority }) => ({ name, type, format, description, priority })));
}

const generationAnnotation = 'deprecated.daemonset.template.generation';
const closingBrace = Buffer.from('}');

/** The metadata of a row. Of a daemon set it lacks the annotation that holds a field, and nothing is left of annotations that had only this one. */
function shownMetadata(metadata: KubernetesObject['metadata'], body: Buffer): readonly Buffer[] {
  if (metadata?.annotations?.[generationAnnotation] === undefined) return metadataOf(body);
  const annotations = Object.entries(metadata.annotations).filter(([name]) => name !== generationAnnotation);
  const shown = { ...metadata, annotations: annotations.length === 0 ? undefined : Object.fromEntries(annotations) };
  return [Buffer.from(`"metadata":${JSON.stringify(shown)}`)];
}

/** Objects as rows of the Table that kubectl prints. In a watch, only the first event defines the columns. */
export function tableRepresentation(resource: ServedResource, request: TableRequest): Representation {
  const { kind, groupVersion, custom } = resource;
  const includeObject = includeObjectOf(request.includeObject);
  const metaVersion = `meta.k8s.io/${request.version}`;
  const columns = custom === undefined ? columnsOf(resource) : printerColumns(custom.printerColumns);
  const definitions = definitionsOf(columns);
  let defined = false;

  const partial = `{"kind":"PartialObjectMetadata","apiVersion":"${metaVersion}",`;
  const whole = `{"kind":"${kind}","apiVersion":"${groupVersion}",`;
  const cellsOf = (object: UnstructuredObject): string => JSON.stringify(columns.map((column) => column.cell(object, request.now())));
  const included = (object: UnstructuredObject, body: Buffer): readonly Buffer[] => {
    if (includeObject === 'None') return [Buffer.from('null')];
    if (includeObject === 'Object') return [Buffer.from(whole), body];
    return [Buffer.from(partial), ...shownMetadata(object.metadata, body), closingBrace];
  };
  const row = (stored: StoredObject): readonly Buffer[] => {
    // The cells of a built-in kind are the same in all its versions.
    const object = (custom && resource.conversion?.fromStored(stored.content)) ?? stored.content;
    return [Buffer.from(`{"cells":${cellsOf(object)},"object":`), ...included(object, bodyOf(resource, stored)), closingBrace];
  };
  const head = (metadata: object): string => {
    const shown = defined ? 'null' : definitions;
    defined = true;
    return `{"kind":"Table","apiVersion":"${metaVersion}","metadata":${JSON.stringify(metadata)},"columnDefinitions":${shown},"rows":[`;
  };

  return {
    object: (stored) => [
      Buffer.from(head({ resourceVersion: stored.content.metadata.resourceVersion })),
      ...row(stored),
      Buffer.from(']}'),
    ],
    item: row,
    listHead: ({ resourceVersion, continue: token, remainingItemCount }) => head({ resourceVersion, continue: token, remainingItemCount }),
    listTail: ']}',
    bookmark: (resourceVersion, end) => {
      // The annotation for the end of the initial events is in the object of the row, so the metadata is included even for `None`.
      const metadata = bookmarkMetadata(resourceVersion, end);
      const begin = includeObject === 'Object' ? whole : partial;
      const object = includeObject === 'None' && !end ? 'null' : `${begin}"metadata":${JSON.stringify(metadata)}}`;
      return `${head({ resourceVersion: String(resourceVersion) })}{"cells":${cellsOf({ metadata })},"object":${object}}]}`;
    },
  };
}
