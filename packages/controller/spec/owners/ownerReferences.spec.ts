import { describe, expect, it } from '@jest/globals';

import type { KubernetesObject } from 'rx-informer';
import { controllerOf, isControlledBy, ownerReferenceOf, setControllerReference } from '../../src/owners/ownerReferences.js';

const owner: KubernetesObject = { apiVersion: 'example.com/v1', kind: 'WebSite', metadata: { name: 'site', namespace: 'ns', uid: 'u1' } };
const plain = { apiVersion: 'example.com/v1', kind: 'WebSite', name: 'site', uid: 'u1' };
const dependent: KubernetesObject = { kind: 'Service', metadata: { name: 's', namespace: 'ns' } };

describe('ownerReferenceOf', () => {
  it('names the owner, and says what the options say', () => {
    expect(ownerReferenceOf(owner)).toEqual(plain);
    expect(ownerReferenceOf(owner, { controller: true })).toEqual({ ...plain, controller: true, blockOwnerDeletion: true });
    expect(ownerReferenceOf(owner, { controller: true, blockOwnerDeletion: false })).toEqual({ ...plain, controller: true });
  });

  it('refuses an owner that does not come from the server', () => {
    expect(() => ownerReferenceOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } })).toThrow(
      new TypeError('Expected `owner` to have apiVersion, kind, name and uid, got {"apiVersion":"v1","kind":"Pod","name":"a"}'),
    );
  });
});

describe('setControllerReference', () => {
  it('adds the reference beside those of others, and leaves the given object alone', () => {
    const other = { ...plain, name: 'other', uid: 'u2' };
    const before = { ...dependent, metadata: { ...dependent.metadata, ownerReferences: [other] } };
    const after = setControllerReference(before, owner);
    expect(after.metadata.ownerReferences).toEqual([other, { ...plain, controller: true, blockOwnerDeletion: true }]);
    expect(before.metadata.ownerReferences).toEqual([other]);
  });

  it('makes a plain reference to the owner a controlling one', () => {
    const before = { ...dependent, metadata: { ...dependent.metadata, ownerReferences: [plain] } };
    expect(setControllerReference(before, owner).metadata.ownerReferences).toHaveLength(1);
  });

  it('returns an object that the owner controls already', () => {
    const once = setControllerReference(dependent, owner);
    expect(setControllerReference(once, owner)).toBe(once);
  });

  it('adopts what an owner of the same name had before it was deleted and made again, in any version', () => {
    const once = setControllerReference(dependent, owner);
    const again = { ...owner, metadata: { ...owner.metadata, uid: 'u9' } };
    expect(setControllerReference(once, again).metadata?.ownerReferences).toEqual([ownerReferenceOf(again, { controller: true })]);
  });

  it.each([
    ['kind', { kind: 'WebApp' }],
    ['group', { apiVersion: 'example.org/v1' }],
    ['name', { metadata: { ...owner.metadata, name: 'other', uid: 'u9' } }],
  ])('refuses a second controller, of another %s', (_, change) => {
    const once = setControllerReference(dependent, owner);
    const second = { ...owner, metadata: { ...owner.metadata, uid: 'u9' }, ...change };
    expect(() => setControllerReference(once, second)).toThrow('Service ns/s is controlled by WebSite site already');
  });

  it.each(['elsewhere', undefined])('refuses an owner with a namespace for an object in namespace %s', (namespace) => {
    const object = { kind: 'Service', metadata: { name: 's', ...(namespace !== undefined && { namespace }) } };
    expect(() => setControllerReference(object, owner)).toThrow(/cannot be owned by WebSite ns\/site: it is not in the owner's namespace$/);
  });

  it('lets a cluster-scoped owner own objects of any namespace', () => {
    const cluster = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u5' } };
    expect(controllerOf(setControllerReference(dependent, cluster))?.kind).toBe('Node');
  });
});

describe('isControlledBy', () => {
  it('compares uids, not names', () => {
    const once = setControllerReference(dependent, owner);
    expect(isControlledBy(once, owner)).toBe(true);
    expect(isControlledBy(once, { ...owner, metadata: { ...owner.metadata, uid: 'u9' } })).toBe(false);
    expect(isControlledBy(dependent, owner)).toBe(false);
    expect(isControlledBy(dependent, {})).toBe(false);
  });
});
