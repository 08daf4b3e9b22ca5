import { describe, expect, it, jest } from '@jest/globals';
import { of, throwError, VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../../src/api/resources.js';
import { recordSource as recordEvents } from '../../../src/source/recording/recordSource.js';
import { objectOf } from '../../../src/testing/fakes/objectOf.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { sourceAdded, sourceInit, sourcePage } from '../sourceEvents.js';
import { record } from './record.js';

const scheduler = new VirtualTimeScheduler();
const hidden = 'aHVudGVyMg==';
const secret = objectOf(resources.core.v1.secrets, 'shop/db', {
  metadata: {
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"password":"${hidden}"}}`,
      'kapp.k14s.io/original': `{"data":"${hidden}"}`,
      note: 'stays',
    },
  },
  data: { password: hidden },
  stringData: { user: hidden },
});

describe('recordSource', () => {
  it('begins with a header that says what is recorded, and when it began', () => {
    const { values } = record(of(sourceInit()).pipe(recordEvents({ scheduler, resource: resources.core.v1.pods })));
    expect(values.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        recording: 1,
        resource: { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true },
        startedAt: '1970-01-01T00:00:00.000Z',
      },
      { at: 0, event: { type: 'init', scope: '', reason: 'first', previousResourceVersion: '' } },
    ]);
  });

  it('says when it began by the wall clock, which a sleep of the machine does not stop', () => {
    const wall = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2040, 1, 3));
    try {
      const [header = ''] = record(of(sourceInit()).pipe(recordEvents())).values;
      expect(JSON.parse(header)).toMatchObject({ startedAt: '2040-02-03T00:00:00.000Z' });
    } finally {
      wall.mockRestore();
    }
  });

  it("leaves out the values of Secrets, kubectl's copy included, and keeps their names", () => {
    const { kind: _, ...nameless } = secret;
    const metadataOnly = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: secret.metadata ?? {} };
    const { values } = record(of(sourcePage([secret, nameless, metadataOnly]), sourceAdded(secret)).pipe(recordEvents({ scheduler })));
    expect(values.join('\n')).not.toContain(hidden);
    const [, page] = values.map((line) => JSON.parse(line) as { event: { items: (typeof secret)[] } });
    expect(page?.event.items[0]).toMatchObject({
      metadata: { annotations: { note: 'stays' }, uid: secret.metadata?.uid },
      data: { password: 'UkVEQUNURUQ=' },
      stringData: { user: 'REDACTED' },
    });
    expect(secret.data).toEqual({ password: hidden });
  });

  it.each([null, undefined])('takes a Secret whose data is %s', (data) => {
    const { values } = record(of(sourceAdded({ kind: 'Secret', metadata: { name: 'db' }, data })).pipe(recordEvents({ scheduler })));
    const recorded = JSON.parse(values[1] ?? '') as { readonly event: { readonly object: object } };
    expect(recorded.event.object).toEqual({ kind: 'Secret', metadata: { name: 'db' }, ...(data === null && { data }) });
  });

  it('takes a Secret without metadata', () => {
    const { values } = record(of(sourceAdded({ kind: 'Secret', data: { a: 'x' } })).pipe(recordEvents({ scheduler })));
    expect(JSON.parse(values[1] ?? '')).toMatchObject({ event: { object: { kind: 'Secret', data: { a: 'UkVEQUNURUQ=' } } } });
  });

  it('keeps other objects whole', () => {
    const config = objectOf(resources.core.v1.configmaps, 'c', { data: { a: 'plain' } });
    const event = sourcePage([config, pod('web')]);
    const whole = record(of(event).pipe(recordEvents({ scheduler }))).values[1];
    expect(JSON.parse(whole ?? '')).toEqual({ at: 0, event });
  });

  it('passes errors on', () => {
    const over = new Error('over');
    const { errors } = record(throwError(() => over).pipe(recordEvents({ scheduler })));
    expect(errors).toEqual([over]);
  });
});
