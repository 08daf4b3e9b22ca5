import { isJsonObject } from '../../api/json.js';
import { DecodeError } from '../../api/errors/decodeError.js';
import { parseJson } from '../parseJson.js';
import { type ItemShape, shapeObject } from './objectShape.js';
import { ValueEnd } from './scan.js';

type Json = Readonly<Record<string, unknown>>;

/** False: the cache compares each object with the version before it, and freezes it. */
export const readsShared = false;

/** Reads objects in a page, with `JSON.parse` alone, since a WebAssembly module takes longer to load than it saves: objects share only what the cache finds equal. */
export class ObjectReader {
  readonly valueEnd: ValueEnd = new ValueEnd();
  end = -1;
  private readonly shape: ItemShape;
  private readonly isList: boolean;

  constructor(shape: ItemShape, isList: boolean) {
    this.shape = shape;
    this.isList = isList;
  }

  /** Passes everything: the source drops the objects of other shards. */
  isForeign(): boolean {
    return false;
  }

  read(bytes: Uint8Array, at: number, known: number, _fate: unknown, position: number): Json | undefined {
    this.end = known === -1 ? this.valueEnd.of(bytes, at) : known;
    return this.end === -1 ? undefined : this.plain(bytes.subarray(at, this.end), position);
  }

  plain(json: Uint8Array, position: number): Json {
    const { isList, shape } = this;
    const what = isList ? 'an item of the list' : 'an object';
    const object = parseJson(json, what, position);
    if (!isJsonObject(object)) throw new DecodeError(`Expected ${what} to be an object, got something else`, position);
    const { kind, apiVersion, ...rest } = object;
    return shapeObject(isList ? { kind: kind ?? shape.kind, apiVersion: apiVersion ?? shape.apiVersion, ...rest } : object, shape);
  }
}
