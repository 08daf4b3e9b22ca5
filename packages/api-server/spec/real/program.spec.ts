import { expect, it, jest } from '@jest/globals';
import { Program } from '../../src/real/program.js';

it('a program ends with a signal that ends this process', async () => {
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  const program = new Program({ path: 'sleep', args: ['600'], isReady: () => Promise.resolve(true), startTimeoutMs: 5_000 });
  await program.start();
  const listener = (): void => undefined;
  process.on('SIGTERM', listener);
  process.emit('SIGTERM', 'SIGTERM');
  expect(kill).not.toHaveBeenCalled(); // Somebody else decides.
  process.off('SIGTERM', listener);
  process.emit('SIGTERM', 'SIGTERM');
  expect(kill).toHaveBeenCalledWith(process.pid, 'SIGTERM');
  kill.mockRestore();
  await program.end('SIGCONT'); // Waits for its end.
  expect(process.listenerCount('SIGTERM')).toBe(0);
});
