import { deepFreeze } from './deepFreeze.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * A top-level field of an object that is parsed, and frozen deeply, when it is first read.
 */
export class UnreadField {
  readonly json: string;
  private readonly onRead: () => void;
  private value: unknown;

  /**
   * @param json - certainly valid.
   * @param onRead - called when the field is first read.
   */
  constructor(json: string, onRead: () => void) {
    this.json = json;
    this.onRead = onRead;
  }

  read(): unknown {
    if (this.value === undefined) {
      this.value = deepFreeze(JSON.parse(this.json));
      this.onRead();
    }
    return this.value;
  }
}

/** The fields of one object by their keys. Its versions share those that did not change. */
export type UnreadFields = ReadonlyMap<string, UnreadField>;

const unread: unique symbol = Symbol('unread fields');

interface Holder {
  readonly [unread]?: UnreadFields;
}

interface Getter {
  readonly enumerable: true;
  readonly get: (this: Required<Holder>) => unknown;
}

/** One getter for each key of the process, so that objects of one kind have one hidden class. Whoever invents keys gets others, which nothing keeps. */
const maxGetters = 1_000;
const getters = new Map<string, Getter>();

function getterOf(key: string): Getter {
  const known = getters.get(key);
  if (known !== undefined) return known;
  const getter: Getter = {
    enumerable: true,
    get: function () {
      return this[unread].get(key)?.read();
    },
  };
  if (getters.size < maxGetters) getters.set(key, getter);
  return getter;
}

/** Node prints objects with their fields, not with the getters. */
const inspected: PropertyDescriptor = {
  value(this: object): object {
    return { ...this };
  },
};

/**
 * Makes an object that has the fields of `head`, and getters in place of those that are unread. It is frozen deeply, but for what is unread.
 */
export function withUnread(head: Json, fields: UnreadFields): Json {
  const object: Record<string, unknown> = {};
  for (const key in head) {
    if (!fields.has(key)) object[key] = deepFreeze(head[key]);
    else Object.defineProperty(object, key, getterOf(key));
  }
  Object.defineProperty(object, unread, { value: fields });
  Object.defineProperty(object, Symbol.for('nodejs.util.inspect.custom'), inspected);
  return Object.freeze(object);
}

/** The field behind a property, if that is one of the getters: a copy may have other values. */
function fieldOf(object: object, key: string): UnreadField | undefined {
  const getter: unknown = (Object.getOwnPropertyDescriptor(object, key) as Partial<Getter> | undefined)?.get;
  return getter !== undefined && getter === getters.get(key)?.get ? (object as Holder)[unread]?.get(key) : undefined;
}

/** Whether two objects certainly have the same value in a field, without reading it. */
export function isSameField(a: object, b: object, key: string): boolean {
  const field = fieldOf(a, key);
  return field !== undefined && field === fieldOf(b, key);
}

/** The JSON of an object with unread fields, without reading them; undefined for any other object. */
export function jsonOfUnread(object: object): string | undefined {
  if (!Object.hasOwn(object, unread)) return undefined;
  const texts = Object.keys(object).flatMap((key) => {
    const json = (fieldOf(object, key)?.json ?? JSON.stringify((object as Json)[key])) as string | undefined;
    return json === undefined ? [] : `${JSON.stringify(key)}:${json}`;
  });
  return `{${texts.join(',')}}`;
}
