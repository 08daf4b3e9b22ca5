/** The encoding of one value in DER: its tag, its length and its content. */
export function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).replace(/^(.(..)*)$/, '0$1'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

/** A SEQUENCE. */
export function sequence(...content: readonly Buffer[]): Buffer {
  return der(0x30, ...content);
}

/** A SET. */
export function set(...content: readonly Buffer[]): Buffer {
  return der(0x31, ...content);
}

/** A value under a context-specific tag. */
export function tagged(number: number, ...content: readonly Buffer[]): Buffer {
  return der(0xa0 | number, ...content);
}

/** A non-negative INTEGER from its bytes. */
export function integer(bytes: Buffer): Buffer {
  const negative = (bytes[0] ?? 0) >= 0x80;
  return der(0x02, negative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), bytes);
}

export function octetString(bytes: Buffer): Buffer {
  return der(0x04, bytes);
}

export function utf8String(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

export function truth(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

/** An OBJECT IDENTIFIER from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.from(bytes));
}

/** A UTCTime, good until 2049. */
export function utcTime(ms: number): Buffer {
  const text = new Date(ms)
    .toISOString()
    .replace(/[-:T]|\.\d+/g, '')
    .slice(2);
  return der(0x17, Buffer.from(text));
}
