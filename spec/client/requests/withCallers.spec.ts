import { afterEach, describe, expect, it } from '@jest/globals';
import { withCallers } from '../../../src/client/requests/withCallers.js';

const { NODE_ENV } = process.env;
afterEach(() => {
  process.env['NODE_ENV'] = NODE_ENV;
  if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
});

async function fail(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  throw new Error('no');
}

const stackOf = async (failing: Promise<unknown>): Promise<string> => {
  const error: unknown = await failing.catch((caught: unknown) => caught);
  return String((error as Error).stack);
};

describe('withCallers', () => {
  function theProgram(methods: { fail(): Promise<never> }): Promise<never> {
    return methods.fail();
  }

  it('adds the frames of the caller, and none of its own', async () => {
    const stack = await stackOf(theProgram(withCallers({ fail })));
    expect(stack).toMatch(/^Error: no\n[^]*at \S*theProgram /);
    expect(stack).not.toMatch(/withCallers\.ts/);
  });

  it('adds them in members, too, and leaves everything else as it is', async () => {
    const methods = withCallers({ status: { fail }, value: 5, double: (of: number) => of * 2 });
    expect(await stackOf(theProgram(methods.status))).toContain('theProgram');
    expect([methods.value, methods.double(2)]).toEqual([5, 4]);
  });

  it('adds them once to an error that several calls have', async () => {
    const error = new Error('shared');
    const methods = withCallers({ fail: () => Promise.reject(error) });
    await stackOf(theProgram(methods));
    expect((await stackOf(theProgram(methods))).match(/theProgram/g)).toHaveLength(1);
  });

  it('does nothing in production', () => {
    process.env['NODE_ENV'] = 'production';
    const methods = { fail };
    expect(withCallers(methods)).toBe(methods);
  });
});
