/** Where the metadata of a stored object is, which its bytes begin with. */
interface MetadataPlace {
  readonly end: number;
  /** The range of `managedFields`, with the comma before it. */
  readonly managedFields?: readonly [start: number, end: number];
}

const metadataKey = '"metadata":{';
const managedFieldsKey = Buffer.from(',"managedFields":[');
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, openBracket, closeBrace, closeBracket] = [0x7b, 0x5b, 0x7d, 0x5d];

function beginsWith(body: Buffer, key: Buffer, at: number): boolean {
  return body.compare(key, 0, key.length, at, at + key.length) === 0;
}

/** The place after a text literal that begins at a quotation mark. */
function endOfText(body: Buffer, start: number): number {
  let at = start + 1;
  while (body[at] !== quote) at += body[at] === backslash ? 2 : 1;
  return at + 1;
}

/** Finds the metadata of a stored object without parsing it. */
function metadataIn(body: Buffer): MetadataPlace {
  let depth = 1;
  let start = -1;
  let managedFields: MetadataPlace['managedFields'];
  for (let at = metadataKey.length; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === quote) at = endOfText(body, at) - 1;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 1 && start >= 0 && managedFields === undefined) managedFields = [start, at + 1];
      if (depth === 0) return managedFields === undefined ? { end: at + 1 } : { end: at + 1, managedFields };
    }
    // A comma before a field of the metadata itself.
    else if (depth === 1 && byte === comma && start < 0 && beginsWith(body, managedFieldsKey, at)) start = at;
  }
  return { end: body.length };
}

/** The bytes of an object up to `end`, without `metadata.managedFields`. */
function withoutManagedFields(body: Buffer, { managedFields }: MetadataPlace, end: number): readonly Buffer[] {
  if (managedFields === undefined) return [body.subarray(0, end)];
  return [body.subarray(0, managedFields[0]), body.subarray(managedFields[1], end)];
}

/** A stored object without `metadata.managedFields`. */
export function droppedOf(body: Buffer): readonly Buffer[] {
  return withoutManagedFields(body, metadataIn(body), body.length);
}

/** The metadata of a stored object, as a field. */
export function metadataOf(body: Buffer, drop = false): readonly Buffer[] {
  const place = metadataIn(body);
  return drop ? withoutManagedFields(body, place, place.end) : [body.subarray(0, place.end)];
}
