import { describe, expect, it } from '@jest/globals';
import { redactedMessage, rootCause, systemCode } from '../../../src/client/requests/requestError.js';

describe('redactedMessage', () => {
  it('does not repeat what could not be parsed', () => {
    let error: unknown;
    try {
      JSON.parse('secret-token');
    } catch (caught) {
      error = caught;
    }
    expect(redactedMessage(error)).toBe('malformed JSON');
  });

  it('takes the first of several failures that have no word of their own', () => {
    expect(redactedMessage(new AggregateError([new Error('a'), new Error('b')]))).toBe('a');
    expect(redactedMessage(new AggregateError([]))).toBe('');
  });

  it('tells of what is no error, too', () => {
    expect(redactedMessage('Bearer x')).toBe('Bearer ***');
  });
});

describe('systemCode', () => {
  it('finds the code in the causes', () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = new TypeError('fetch failed', { cause });
    expect([systemCode(error), systemCode(new Error('a')), systemCode(undefined)]).toEqual(['ECONNREFUSED', undefined, undefined]);
    expect(rootCause(error)).toBe(cause);
  });
});
