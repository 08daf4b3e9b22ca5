import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { merge, Subject, type Subscription, VirtualTimeScheduler, firstValueFrom } from 'rxjs';
import { monotonicScheduler } from 'rx-informer/internal';
import { advanceBy } from 'rx-informer/testing';
import type { CertificateSource, KeyedCertificate } from '../../../src/webhooks/certificates/certificateSource.js';
import { fileCertificates } from '../../../src/webhooks/certificates/fileCertificates.js';
import { issueCertificate, makeAuthority } from '../../../src/webhooks/certificates/issueCertificates.js';

describe('fileCertificates', () => {
  let pairs: readonly KeyedCertificate[];
  let directory: string;
  let scheduler: VirtualTimeScheduler;
  let source: CertificateSource;
  let subscription: Subscription;
  let certificate$: Subject<KeyedCertificate>;
  let line$: Subject<string>;

  beforeAll(async () => {
    const time = { now: Date.now(), lifetimeMs: 3_600_000 };
    const authority = await makeAuthority(time);
    pairs = await Promise.all([1, 2].map(() => issueCertificate(authority, ['localhost'], time)));
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'certificates-'));
    scheduler = new VirtualTimeScheduler();
    certificate$ = new Subject();
    line$ = new Subject();
    source = fileCertificates(directory, scheduler, (line) => line$.next(line));
    subscription = source.certificate$.subscribe(certificate$);
  });
  afterEach(async () => {
    subscription.unsubscribe();
    await rm(directory, { recursive: true });
  });

  /** Writes a generation of the files as the kubelet does: into a folder of its own, to which one link is moved. */
  const mount = async (generation: string, { cert, key }: KeyedCertificate): Promise<void> => {
    const folder = join(directory, `..${generation}`);
    await mkdir(folder);
    await writeFile(join(folder, 'tls.crt'), cert);
    await writeFile(join(folder, 'tls.key'), key);
    await symlink(`..${generation}`, join(directory, '..new'));
    await rename(join(directory, '..new'), join(directory, '..data'));
    if (generation === '1') for (const file of ['tls.crt', 'tls.key']) await symlink(`..data/${file}`, join(directory, file));
  };
  /** The first value after the files have been read again. */
  const read = async <T>(values: Subject<T>): Promise<T> => {
    const first = firstValueFrom(values, { defaultValue: undefined as never });
    advanceBy(scheduler, 10_000);
    return first;
  };
  const pairAt = (at: number): KeyedCertificate => pairs[at] as KeyedCertificate;

  it('keeps a relative path when the program changes its working directory', async () => {
    await mount('1', pairAt(0));
    const before = process.cwd();
    process.chdir(directory);
    let relative: CertificateSource;
    try {
      relative = fileCertificates('.', scheduler, (line) => line$.next(line));
    } finally {
      process.chdir(before);
    }
    const heard$ = new Subject<unknown>();
    const own = merge(relative.certificate$, line$).subscribe(heard$);
    expect(await read(heard$)).toEqual(pairAt(0));
    own.unsubscribe();
  });

  it('waits for files that are not there at the start, and says so once', async () => {
    expect(source.problem()).toBe(`no certificate in ${directory} yet`);
    const lines: string[] = [];
    line$.subscribe((line) => lines.push(line));
    expect(await read(line$)).toContain('ENOENT');
    expect(source.problem()).toContain('tls.crt');
    await mount('1', pairAt(0));
    expect(await read(certificate$)).toEqual(pairAt(0));
    expect(source.problem()).toBeUndefined();
    expect(lines).toHaveLength(1);
  });

  it('follows an exchange of links, as the kubelet makes it', async () => {
    await mount('1', pairAt(0));
    await read(certificate$);
    await mount('2', pairAt(1));
    expect(await read(certificate$)).toEqual(pairAt(1));
  });

  it('keeps what it has while the files do not belong together or cannot be read', async () => {
    await mount('1', pairAt(0));
    await read(certificate$);
    const found: unknown[] = [];
    certificate$.subscribe((one) => found.push(one));
    await mount('2', { cert: pairAt(1).cert, key: pairAt(0).key });
    expect(await read(line$)).toBe(`${directory}: the key does not belong to the certificate`);
    await mount('3', { cert: 'nothing', key: 'secret' });
    expect(await read(line$)).toBe(`${directory}: the certificate or its key cannot be read`);
    await mount('4', { cert: pairAt(1).cert, key: pairAt(0).key });
    expect(await read(line$)).toBe(`${directory}: the key does not belong to the certificate`);
    await mount('5', { cert: `${pairAt(1).cert}${pairAt(0).cert.slice(0, -40)}`, key: pairAt(1).key });
    expect([await read(line$), found]).toEqual([`${directory}: the certificate or its key cannot be read`, []]);
    await mount('6', { cert: pairAt(1).cert, key: pairAt(1).key });
    expect(await read(certificate$)).toEqual(pairAt(1));
    expect(found).toEqual([pairAt(1)]);
  });

  it('goes by the wall clock, which the machine may have set while the program ran', async () => {
    await mount('1', pairAt(0));
    const today = Date.now();
    const wallClock = jest.spyOn(Date, 'now').mockImplementation(() => today + 2 * 3_600_000);
    try {
      const line = await new Promise<string>((resolve) => {
        const read$ = fileCertificates(directory, monotonicScheduler, resolve).certificate$;
        subscription.add(read$.subscribe(({ cert }) => resolve(cert)));
      });
      expect(line).toContain('the certificate has expired at');
    } finally {
      wallClock.mockRestore();
    }
  });
});
