import fc from 'fast-check';

const firstSurrogate = 0xd800;
const lastSurrogate = 0xdfff;
const lastCodePoint = 0x10ffff;
const surrogates = lastSurrogate - firstSurrogate + 1;

function characterOf(number: number): string {
  return String.fromCodePoint(number < firstSurrogate ? number : number + surrogates);
}

function numberOf(character: unknown): number {
  const codePoint = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (
    codePoint === undefined ||
    String.fromCodePoint(codePoint) !== character ||
    (codePoint >= firstSurrogate && codePoint <= lastSurrogate)
  )
    throw new TypeError('Expected a character');
  return codePoint < firstSurrogate ? codePoint : codePoint - surrogates;
}

/** The unit of strings of any characters: the same as fast-check's own, for which it fills a table of a million characters in each spec. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(lastCodePoint - surrogates).map(characterOf, numberOf);
