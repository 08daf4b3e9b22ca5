import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  authorityDue,
  certificateDue,
  entriesOf,
  type HeldCertificates,
  heldIn,
  withAuthority,
} from '../../../src/webhooks/certificates/heldCertificates.js';
import type { KeyedCertificate } from '../../../src/webhooks/certificates/certificateSource.js';
import { issueCertificate, makeAuthority } from '../../../src/webhooks/certificates/issueCertificates.js';

const lifetimeMs = 90 * 86_400_000;
const names = ['guard.guard.svc'];
/** A whole second, as certificates have them. */
const start = Date.UTC(2026, 0, 1);
const atTime = (now: number) => ({ now, names, lifetimeMs });

describe('the certificates in a Secret', () => {
  let [first, second]: readonly (KeyedCertificate | undefined)[] = [];
  let held: HeldCertificates;
  let rotated: HeldCertificates;
  const renewedAt = start + 20 * lifetimeMs;

  beforeAll(async () => {
    first = await makeAuthority({ now: start, lifetimeMs: 10 * lifetimeMs });
    const later = start + 7 * lifetimeMs;
    second = await makeAuthority({ now: later, lifetimeMs: 10 * lifetimeMs });
    held = { authorities: [first.cert], authorityKey: first.key, ...(await issueCertificate(first, names, { now: start, lifetimeMs })) };
    const leaf = await issueCertificate(first, names, { now: later, lifetimeMs });
    rotated = { ...leaf, authorities: withAuthority(held, second.cert, later), authorityKey: second.key };
  });

  it('are due after two thirds of their time', () => {
    expect(certificateDue(held, atTime(start))).toBe(start + (lifetimeMs * 2) / 3);
    expect(authorityDue(held, atTime(start))).toBe(start + (10 * lifetimeMs * 2) / 3);
  });

  it('are due at once when they are missing, unreadable, expired, without a name or without their key', () => {
    const nothing = heldIn(undefined);
    expect([authorityDue(nothing, atTime(start)), certificateDue(nothing, atTime(start))]).toEqual([0, 0]);
    expect(authorityDue({ ...held, authorityKey: second?.key ?? '' }, atTime(start))).toBe(0);
    expect(authorityDue({ ...held, authorityKey: 'nothing' }, atTime(start))).toBe(0);
    expect(certificateDue({ ...held, cert: 'nothing' }, atTime(start))).toBe(0);
    expect(certificateDue(held, atTime(start + lifetimeMs))).toBe(0);
    expect(certificateDue(held, { ...atTime(start), names: [...names, 'other.guard.svc'] })).toBe(0);
    expect(certificateDue({ ...held, authorities: [second?.cert ?? ''] }, atTime(start))).toBe(0);
  });

  it('are issued by a new authority only when it has been published for five minutes', () => {
    const later = start + 7 * lifetimeMs;
    expect(certificateDue(rotated, atTime(later))).toBe(later + 300_000);
  });

  it('keep an old authority trusted until it expires', () => {
    expect(rotated.authorities).toEqual([second?.cert, first?.cert]);
    expect(withAuthority(held, second?.cert ?? '', renewedAt)).toEqual([second?.cert]);
    expect(withAuthority({ ...held, authorities: ['nothing'] }, second?.cert ?? '', start)).toEqual([second?.cert]);
  });

  it('are read from a Secret as they were written', () => {
    expect(heldIn({ data: entriesOf(rotated) })).toEqual(rotated);
  });
});
