import { describe, expect, it } from '@jest/globals';
import { Tenure } from '../../src/leader/tenure.js';

function setUp() {
  let quiet = 0;
  const outer = new Tenure({ what: 'Leadership 3 is over', now: () => 0, until: 10 });
  const inner = new Tenure({ what: 'Slot 1 is gone', now: () => 0, within: outer, onQuiet: () => (quiet += 1) });
  return { outer, inner, quiet: () => quiet };
}

describe('Tenure', () => {
  it('is quiet at once when it closes without work', () => {
    const { inner, quiet } = setUp();
    expect(inner.standing()).toBe('working');
    inner.close();
    expect(quiet()).toBe(1);
    expect(inner.standing()).toBe('quiet');
  });

  it('begins no work once it closes, and is quiet when what had begun has ended', () => {
    const { outer, inner, quiet } = setUp();
    expect(inner.enter()).toBe(true);
    inner.close();
    expect(inner.enter()).toBe(false);
    expect([inner.standing(), quiet(), outer.isBusy()]).toEqual(['draining', 0, true]);
    inner.leave();
    expect([inner.standing(), quiet(), outer.isBusy()]).toEqual(['quiet', 1, false]);
  });

  it('begins no work after the end of the tenure around it, and says that that is over', () => {
    const { outer, inner } = setUp();
    outer.end(new Error('lost'));
    expect(inner.enter()).toBe(false);
    expect(inner.beforeSend).toThrow('Leadership 3 is over: no request is sent');
  });

  it('says of itself that it is over when the tenure around it goes on', () => {
    const { inner } = setUp();
    inner.end(new Error('drained'));
    expect(inner.beforeSend).toThrow('Slot 1 is gone: no request is sent');
  });
});
