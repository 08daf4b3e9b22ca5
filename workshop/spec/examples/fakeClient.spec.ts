import { describe, expect, it } from '@jest/globals';
import { createInformer } from 'rx-informer';
import { FakeListerWatcher, pod } from 'rx-informer/testing';

// The example is a test itself.
import '../../../examples/fake-client/restartCounter.test.js';

describe('examples/fake-client', () => {
  it('needs no wait for the watch before the first write (EX-05)', () => {
    const server = new FakeListerWatcher();
    const names: string[] = [];
    const informer = createInformer(server);
    informer.addEventHandler({ onAdd: (object) => names.push(object.metadata?.name ?? ''), onDelete: () => names.push('gone') });
    server.add(pod('early'));
    informer.start();
    server.add(pod('late'));
    server.delete('default/early');
    expect(names).toEqual(['early', 'late', 'gone']);
    void informer.stop();
  });
});
