import { packedGoStructs } from './packedGoStructs.js';
import { unpack } from './unpack.js';

interface GoStructs {
  /** The structs that messages show: of each field the name where it is served, if that is another, and its type. */
  readonly printed: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The fields of definitions whose types have names of their own in Go. */
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

let unpacked: GoStructs | undefined;

/** The structs of Kubernetes' server that occur in messages. */
export function goStructs(): GoStructs {
  unpacked ??= unpack(packedGoStructs) as GoStructs;
  return unpacked;
}
