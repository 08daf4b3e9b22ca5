import { asString, listAt, valueAt, type Json, type JsonObject } from '../json.js';
import type { Bucket } from '../store/bucket.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredContent } from '../store/storedObject.js';

/** Numbers of one kind, and the uid of the service that has each. */
class Numbers {
  private readonly owners = new Map<number, string>();
  private lowest: number;

  /** @param first - the first number that is given. */
  constructor(first: number) {
    this.lowest = first;
  }

  /** Whether a service other than that of a uid has a number. */
  areTaken(number: number, uid: string): boolean {
    return (this.owners.get(number) ?? uid) !== uid;
  }

  set(number: number, uid: string | undefined): void {
    if (uid !== undefined) this.owners.set(number, uid);
    else if (this.owners.delete(number)) this.lowest = Math.min(this.lowest, number);
  }

  /** The first number that is free, and not in `given`, where it is added. */
  free(given: Set<number>): number {
    while (this.owners.has(this.lowest)) this.lowest += 1;
    let next = this.lowest;
    while (this.owners.has(next) || given.has(next)) next += 1;
    given.add(next);
    return next;
  }
}

/** The ports of a service. */
export function portsOf(content: JsonObject): readonly Json[] {
  return listAt(content, 'spec', 'ports');
}

/** The number of an address, after its first part. */
export function numberOf(address: string): number {
  return address
    .split('.')
    .slice(1)
    .reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Addresses below this one are not assigned automatically: clients can request them. */
const firstAddress = 16;
export const firstNodePort = 30_000;

/** The addresses and node ports of all services. Each change is read once. */
export class ServiceNumbers {
  readonly addresses: Numbers = new Numbers(firstAddress);
  readonly nodePorts: Numbers = new Numbers(firstNodePort);
  private position = 0;

  private constructor(bucket: Bucket) {
    for (const { content } of valuesBetween(bucket.root)) this.note(content, content.metadata.uid);
    this.position = bucket.endPosition;
  }

  private static readonly known = new WeakMap<Bucket, ServiceNumbers>();

  static of(bucket: Bucket): ServiceNumbers {
    let numbers = ServiceNumbers.known.get(bucket);
    if (numbers === undefined || !bucket.holds(numbers.position)) numbers = new ServiceNumbers(bucket);
    ServiceNumbers.known.set(bucket, numbers);
    numbers.follow(bucket);
    return numbers;
  }

  private follow(bucket: Bucket): void {
    for (; this.position < bucket.endPosition; this.position += 1) {
      const change = bucket.changeAt(this.position);
      if (change?.previous !== undefined) this.note(change.previous.content, undefined);
      if (change !== undefined && change.type !== 'DELETED') this.note(change.object.content, change.object.content.metadata.uid);
    }
  }

  private note(service: StoredContent, uid: string | undefined): void {
    const address = asString(valueAt(service, 'spec', 'clusterIP'));
    if (address.includes('.')) this.addresses.set(numberOf(address), uid);
    const ports = [...portsOf(service).map((port) => valueAt(port, 'nodePort')), valueAt(service, 'spec', 'healthCheckNodePort')];
    for (const number of ports) if (typeof number === 'number' && number !== 0) this.nodePorts.set(number, uid);
  }
}
