import type { Verb } from '../../api/resource.js';
import type { FieldError } from '../status/statusErrors.js';
import type { RandomSource } from '../randomSource.js';
import type { User } from '../auth/user.js';
import type { Store } from '../store/store.js';
import type { StoredContent } from '../store/storedObject.js';
import type { JsonObject } from '../json.js';
import type { NameSyntax } from '../write/nameProblem.js';

/** A write that is being taken in. */
export interface AdmittedRequest {
  readonly store: Store;
  readonly random: RandomSource;
  /** The object that is to be changed; undefined for a new one. */
  readonly before?: StoredContent;
  /** The user of the write; undefined for the server and for tests. */
  readonly user?: User | undefined;
  readonly dryRun: boolean;
}

/**
 * What the server does differently for some kinds. Absent means the ordinary way.
 */
export interface KindRules {
  /** `metadata.generation` is kept: it counts changes outside metadata and status. */
  readonly generation?: boolean;
  /** The status that a created object gets instead of the one sent; undefined keeps what was sent. */
  readonly initialStatus?: JsonObject | 'none' | ((content: JsonObject, now: string) => JsonObject);
  /** A PUT without a resourceVersion is refused. */
  readonly versionedUpdates?: boolean;
  /** A PUT of an object that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** A delete is answered with the object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Deletes take effect after a grace period. */
  readonly gracefulDeletion?: boolean;
  /** Selectable fields beside `metadata.name` and `metadata.namespace`, each with its path. */
  readonly fields?: Readonly<Record<string, (content: StoredContent) => string>>;
  /** The wording of the error for a field that cannot be selected. */
  readonly unknownField?: 'listed' | 'plain' | 'ofKind' | 'ofVersion';
  /** Fills in what the API server fills in when an object of this kind is written. */
  readonly complete?: (content: JsonObject) => JsonObject;
  /** Changes an object at admission: a class's values, an address. Fields that it adds have no owner in managedFields. */
  readonly admit?: (content: StoredContent, request: AdmittedRequest) => StoredContent;
  /** The paths of fields in a submitted object that this kind does not have. */
  readonly unknownFields?: (object: JsonObject) => readonly string[];
  /** Validation errors of an object beside its metadata; `before` is the object that it replaces. */
  readonly validate?: (content: StoredContent, before: StoredContent | undefined) => readonly FieldError[];
  /** Puts back what a write to the object itself cannot change. */
  readonly keepOnUpdate?: (existing: StoredContent, submitted: StoredContent) => StoredContent;
  /** Finalizers need no domain; `onUpdate` where that is not looked at in changes alone. */
  readonly anyFinalizer?: boolean | 'onUpdate';
  /** Whether dependents are orphaned by default when an object is deleted. */
  readonly orphans?: boolean;
  /** Whether objects without a name are valid. */
  readonly nameless?: boolean;
  /** Metadata cannot be written through the status. */
  readonly keepsMeta?: boolean;
  /** How names of this kind are checked. */
  readonly nameSyntax?: NameSyntax;
}

/** Translates between the version that is stored and another one that is served. */
export interface Conversion {
  readonly toStored: (content: JsonObject) => JsonObject;
  readonly fromStored: (content: StoredContent) => StoredContent;
}

/**
 * One resource in one version, as the server offers it.
 */
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
  /** Sent as a warning with every answer, of a version that is deprecated. */
  readonly deprecation?: string;
  /** Present for resources that a CustomResourceDefinition defines. */
  readonly custom?: CustomResourceVersion;
}

/** Converts the objects of a definition between its versions asynchronously, by a webhook. Versions are named with their group. */
export interface Translation {
  /** The version that objects are stored in. */
  readonly stored: string;
  /** The versions that were requested, beside the storage version. */
  readonly wanted: readonly string[];
  /**
   * Converts stored objects to another version, so that they can be returned in it. With `afresh` the webhook is called even if the result is cached, and a
   * failure fails the request.
   */
  prepare(version: string, contents: Iterable<StoredContent>, afresh?: boolean): Promise<void>;
  /**
   * A stored object in another version, which `prepare` has asked for.
   *
   * @throws StatusError when it could not be translated.
   */
  show(version: string, content: StoredContent): StoredContent;
  /**
   * Translates objects, all of one version, into another.
   *
   * @throws StatusError 500
   */
  convert(version: string, objects: readonly JsonObject[]): Promise<readonly JsonObject[]>;
}

/** What a CustomResourceDefinition says of one version. */
export interface CustomResourceVersion {
  /** `spec.versions[].schema.openAPIV3Schema` */
  readonly schema: JsonObject;
  readonly preserveUnknownFields: boolean;
  /** Translates between versions; undefined where all versions of an object are the same but for their names. */
  readonly webhook?: Translation | undefined;
  /** Whether texts have to match patterns. */
  readonly hasPatterns: boolean;
  /** Whether objects have to keep rules. */
  readonly hasRules: boolean;
  readonly printerColumns: readonly JsonObject[];
  /** Paths of the `scale` subresource, each without its leading dot. */
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath?: string };
}

/** Whether writes leave the status alone, except those to the `status` subresource. */
export function hasStatusSubresource(resource: ServedResource): boolean {
  return resource.subresources.has('status');
}
