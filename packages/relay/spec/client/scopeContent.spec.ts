import { describe, expect, it } from '@jest/globals';
import { ScopeContent } from '../../src/client/scopeContent.js';

type Rows = Parameters<ScopeContent['rows']>[0];
type Commit = Parameters<ScopeContent['commit']>[0];

const rows = (frame: object): Rows => ({ c: 1, ...frame }) as unknown as Rows;
const commit = (at: number): Commit => ({ c: 1, log: 'l', at, version: String(at) }) as unknown as Commit;

describe('ScopeContent', () => {
  it('has nothing left of an object that has moved to a group which is dropped before the commit', () => {
    const content = new ScopeContent(false);
    content.setRights('granted' as never, 'a');
    content.rows(rows({ g: 'a', set: [['k', { n: 1 }]] }));
    content.commit(commit(1));
    content.rows(rows({ g: 'b', set: [['k', { n: 2 }]] }));
    content.rows(rows({ g: 'a', del: ['k'] }));
    content.drop(['b']);
    const events = content.commit(commit(3)).map((event) => event.type);
    expect([events, content.token()?.count]).toEqual([['deleted'], 0]);
  });
});
