import { describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import { ApiError, InformerError } from 'rx-informer';
import type { ControllerFigures, ElectorFigures, ShardFigures } from '../../controller/src/figures.js';
import type { ManagerRun } from '../../controller/src/manager/managerRun.js';
import type { ViewFigures } from '../../views/src/kernel/viewBase.js';
import { type ControllerFacts, type ElectorFacts, factsOf, type ManagerFacts, type ShardFacts, type ViewFacts } from '../src/facts.js';

type Plain<F> = Omit<F, 'error'>;

describe('factsOf', () => {
  it('knows the figures that each package declares', () => {
    expectTypeOf<Plain<ViewFigures>>().toEqualTypeOf<Plain<ViewFacts>>();
    expectTypeOf<ControllerFigures>().toEqualTypeOf<ControllerFacts>();
    expectTypeOf<Plain<ElectorFigures>>().toEqualTypeOf<Plain<ElectorFacts>>();
    expectTypeOf<ShardFigures>().toEqualTypeOf<ShardFacts>();
    expectTypeOf<ReturnType<ManagerRun['figures']>>().toEqualTypeOf<ManagerFacts>();
  });

  it('makes plain data of errors', () => {
    const cause = new ApiError({ code: 403, message: 'no' });
    const error = new InformerError({ code: 'ERR_LIST', message: 'Cannot list pods', cause });
    const figures = {
      kind: 'informer',
      name: 'pods',
      at: 1,
      error,
      scopes: [{ scope: 'a', state: 'retrying', error: new Error('odd') }, { scope: 'b' }],
    };
    expect(factsOf({ figures: () => figures })).toEqual({
      ...{ kind: 'informer', name: 'pods', at: 1, error: { code: 'ERR_LIST', message: 'Cannot list pods', http: 403 } },
      scopes: [{ scope: 'a', state: 'retrying', error: { code: 'Error', message: 'odd' } }, { scope: 'b' }],
    });
  });
});
