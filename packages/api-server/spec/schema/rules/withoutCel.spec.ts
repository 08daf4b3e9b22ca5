import { expect, it, jest } from '@jest/globals';

jest.unstable_mockModule('@marcbachmann/cel-js', () => {
  throw Object.assign(new Error("Cannot find package '@marcbachmann/cel-js'"), { code: 'ERR_MODULE_NOT_FOUND' });
});
const { startApiServer } = await import('../../../src/startApiServer.js');

it('without the package that evaluates rules, no server starts, and the package is named', async () => {
  await expect(startApiServer()).rejects.toThrow(/^Expected the package @marcbachmann\/cel-js to be installed/);
});
