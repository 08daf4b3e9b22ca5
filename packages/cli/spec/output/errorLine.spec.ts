import { describe, expect, it } from '@jest/globals';
import { ApiError, InformerError } from 'rx-informer';
import { errorLine } from '../../src/output/errorLine.js';

describe('errorLine', () => {
  it('says what a refused connection means', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(errorLine(error)).toBe(
      'connect ECONNREFUSED 127.0.0.1:1: nothing listens there; is the server running, and is the address right?',
    );
  });

  it('finds the reason behind an error that wraps it', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(errorLine(new Error('GET http://127.0.0.1:1/api failed', { cause }))).toContain('nothing listens there');
  });

  it('tells refused credentials from missing permission', () => {
    expect(errorLine(new ApiError({ code: 401, message: 'Unauthorized' }))).toContain('credentials (401)');
    expect(errorLine(new ApiError({ code: 403, message: 'pods is forbidden' }))).toBe('not allowed (403): pods is forbidden');
  });

  it('shows the cause of an informer error', () => {
    const cause = new ApiError({ code: 404, message: 'the server could not find the requested resource' });
    expect(errorLine(new InformerError({ code: 'ERR_LIST', message: 'listing failed', cause }))).toBe(
      'the server could not find the requested resource (404)',
    );
  });

  it('keeps to one line', () => {
    expect(errorLine(new Error('first\n    at stack'))).toBe('first');
    expect(errorLine('plain')).toBe('plain');
  });
});
