import { describe, expect, it, jest } from '@jest/globals';
import { InformerError } from '../../../src/api/errors/informerError.js';

describe('InformerError', () => {
  it('says which step failed, and keeps the original error', () => {
    const cause = new Error('socket hang up');
    const error = new InformerError({
      code: 'ERR_WATCH',
      message: 'The watch of pods broke off',
      cause,
      resource: 'pods',
      key: 'default/web',
      attempt: 3,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('InformerError');
    expect(error).toMatchObject({
      code: 'ERR_WATCH',
      message: 'The watch of pods broke off',
      resource: 'pods',
      key: 'default/web',
      attempt: 3,
    });
    expect(error.cause).toBe(cause);
    expect(error.stack).toContain('informerError.spec');
  });

  it('has no cause when it is given none', () => {
    const error = new InformerError({ code: 'ERR_STOPPED', message: 'The informer was stopped' });
    expect('cause' in error).toBe(false);
    expect(error).toMatchObject({ resource: 'objects', key: undefined, attempt: undefined });
  });

  it('is an instance of the class of another copy of the package', async () => {
    // The class of the other build of the package: the same module, evaluated again.
    jest.resetModules();
    const other = await import('../../../src/api/errors/informerError.js');
    expect(other.InformerError).not.toBe(InformerError);
    const init = { code: 'ERR_LIST', message: 'The list failed' } as const;
    expect(new other.InformerError(init) instanceof InformerError).toBe(true);
    expect(new InformerError(init) instanceof other.InformerError).toBe(true);
  });

  it.each([undefined, null, 'InformerError', new Error('no'), { name: 'InformerError', code: 'ERR_LIST' }])('is not %j', (value) => {
    expect((value as unknown) instanceof InformerError).toBe(false);
  });

  it('shows nothing of its brand when it is printed or compared', () => {
    const error = new InformerError({ code: 'ERR_LIST', message: 'The list failed' });
    expect(Object.getOwnPropertySymbols(error).filter((symbol) => Object.prototype.propertyIsEnumerable.call(error, symbol))).toEqual([]);
  });
});
