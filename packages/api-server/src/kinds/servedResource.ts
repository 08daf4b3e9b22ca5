import type { Verb } from 'rx-informer';
import type { FieldError } from '../status/statusErrors.js';
import type { RandomSource } from '../randomSource.js';
import type { User } from '../auth/user.js';
import type { Store } from '../store/store.js';
import type { StoredContent } from '../store/storedObject.js';
import type { JsonObject } from '../json.js';
import type { NameSyntax } from '../write/nameProblem.js';

/** A write during admission. */
export interface AdmittedRequest {
  readonly store: Store;
  readonly random: RandomSource;
  /** The object before the write; undefined for a new one. */
  readonly before?: StoredContent;
  /** The user of the write; undefined for the server and for tests. */
  readonly user?: User | undefined;
  readonly dryRun: boolean;
}

/** The rules in which kinds differ. An absent rule means the default behaviour. */
export interface KindRules {
  /** `metadata.generation` is kept: it counts changes outside metadata and status. */
  readonly generation?: boolean;
  /** The status of a created object, instead of the one sent; undefined keeps the one sent. */
  readonly initialStatus?: JsonObject | 'none' | ((content: JsonObject, now: string) => JsonObject);
  /** A PUT without a resourceVersion is refused. */
  readonly versionedUpdates?: boolean;
  /** A PUT of an object that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** A delete is answered with the object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Deletes take effect after a grace period. */
  readonly gracefulDeletion?: boolean;
  /** Selectable fields in addition to `metadata.name` and `metadata.namespace`, each with its path. */
  readonly fields?: Readonly<Record<string, (content: StoredContent) => string>>;
  /** The wording of the error for a field that cannot be selected. */
  readonly unknownField?: 'listed' | 'plain' | 'ofKind' | 'ofVersion';
  /** Sets the defaults of a written object. */
  readonly complete?: (content: JsonObject, keepNulls?: boolean) => JsonObject;
  /** Changes an object at admission, for example by its class or with an address. Fields that it adds have no owner in managedFields. */
  readonly admit?: (content: StoredContent, request: AdmittedRequest) => StoredContent;
  /** The paths of unknown fields in a submitted object. */
  readonly unknownFields?: (object: JsonObject) => readonly string[];
  /** Validation errors of an object, without its metadata; `before` is the object that it replaces. */
  readonly validate?: (content: StoredContent, before: StoredContent | undefined) => readonly FieldError[];
  /** Restores the fields that a write to the object itself cannot change. */
  readonly keepOnUpdate?: (existing: StoredContent, submitted: StoredContent) => StoredContent;
  /** Finalizers need no domain; `onUpdate` if this holds for updates only. */
  readonly anyFinalizer?: boolean | 'onUpdate';
  /** Whether an update validates all metadata by the rules of the kind, and not its change alone. */
  readonly wholeOnUpdate?: boolean;
  /** Whether dependents are orphaned by default when an object is deleted. */
  readonly orphans?: boolean;
  /** Whether objects without a name are valid. */
  readonly nameless?: boolean;
  /** A write to the status cannot change the metadata. */
  readonly keepsMeta?: boolean;
  /** The syntax of names of this kind. */
  readonly nameSyntax?: NameSyntax;
}

/** Converts between the stored version and another served one. */
export interface Conversion {
  readonly toStored: (content: JsonObject) => JsonObject;
  readonly fromStored: (content: StoredContent) => StoredContent;
  /** Whether the same object may be converted to something else later: no result is kept. */
  readonly varies?: boolean;
}

/** One resource in one version, as served. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly groupVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<Verb>;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: ReadonlySet<string>;
  /** All versions of a resource share one bucket. */
  readonly bucketId: string;
  readonly rules: KindRules;
  readonly conversion?: Conversion;
  /** A warning that is sent with every answer about a deprecated version. */
  readonly deprecation?: string;
  /** Whether its definition is being deleted: no object is created any more. */
  readonly terminating?: boolean;
  /** Present for resources of a CustomResourceDefinition. */
  readonly custom?: CustomResourceVersion;
}

/** Converts the objects of a definition between its versions asynchronously, by a webhook. Versions are named with their group. */
export interface Translation {
  /** The storage version. */
  readonly stored: string;
  /** The requested versions other than the storage version. */
  readonly wanted: readonly string[];
  /**
   * Converts stored objects to another version, so that they can be returned in it. With `afresh` the webhook is called even if the result is cached, and a
   * failure fails the request.
   */
  prepare(version: string, contents: Iterable<StoredContent>, afresh?: boolean): Promise<void>;
  /**
   * A stored object in another version, for which `prepare` was called.
   *
   * @throws StatusError when the conversion failed.
   */
  show(version: string, content: StoredContent): StoredContent;
  /**
   * Converts objects, all of one version, to another version.
   *
   * @throws StatusError 500
   */
  convert(version: string, objects: readonly JsonObject[]): Promise<readonly JsonObject[]>;
}

/** One version of a CustomResourceDefinition. */
export interface CustomResourceVersion {
  /** `spec.versions[].schema.openAPIV3Schema` */
  readonly schema: JsonObject;
  readonly preserveUnknownFields: boolean;
  /** Converts between versions; undefined where versions differ in `apiVersion` only. */
  readonly webhook?: Translation | undefined;
  /** Whether the schema has patterns for strings. */
  readonly hasPatterns: boolean;
  /** Whether the schema has validation rules (CEL). */
  readonly hasRules: boolean;
  readonly printerColumns: readonly JsonObject[];
  /** Paths of the `scale` subresource, each without its leading dot. */
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath?: string };
}

/** Whether the status can be written through the `status` subresource only. */
export function hasStatusSubresource(resource: ServedResource): boolean {
  return resource.subresources.has('status');
}
