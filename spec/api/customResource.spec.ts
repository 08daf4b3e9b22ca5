import { describe, expect, it } from '@jest/globals';
import { customResource, type CustomResourceNames, resourcePath } from '../../src/api/resource.js';

const websites: CustomResourceNames = { group: 'example.com', version: 'v1', plural: 'websites', kind: 'WebSite', namespaced: true };

describe('customResource', () => {
  it('describes a resource that offers every verb', () => {
    expect(customResource(websites)).toEqual({
      ...websites,
      singular: 'website',
      verbs: { get: true, list: true, watch: true, create: true, update: true, patch: true, delete: true, deletecollection: true },
    });
  });

  it('keeps the names that are given beyond the necessary ones', () => {
    const resource = customResource({ ...websites, singular: 'site', shortNames: ['ws'], subresources: ['status', 'scale'] });
    expect(resource).toMatchObject({ singular: 'site', shortNames: ['ws'], subresources: ['status', 'scale'] });
  });

  it('makes a resource that has a path', () => {
    expect(resourcePath(customResource(websites), { namespace: 'default', name: 'home' })).toBe(
      '/apis/example.com/v1/namespaces/default/websites/home',
    );
  });

  it.each(['Foo', 'foo', 'My-Kind', 'K8s2'])('takes %s as a kind, as API servers do', (kind) => {
    expect(customResource({ ...websites, kind }).kind).toBe(kind);
  });

  it.each<[keyof CustomResourceNames, unknown, string]>([
    ['group', '', 'Expected `group` of a custom resource to be a DNS name such as "example.com", got ""'],
    ['group', 'Example.com', 'Expected `group` of a custom resource to be a DNS name such as "example.com", got "Example.com"'],
    ['group', 'example..com', 'Expected `group` of a custom resource to be a DNS name such as "example.com", got "example..com"'],
    ['group', undefined, 'Expected `group` of a custom resource to be a DNS name such as "example.com", got undefined'],
    ['version', 'example.com/v1', 'Expected `version` of a custom resource to be a version such as "v1", got "example.com/v1"'],
    ['plural', 'WebSites', 'Expected `plural` of a custom resource to be a lower-case plural such as "websites", got "WebSites"'],
    ['plural', 'web/sites', 'Expected `plural` of a custom resource to be a lower-case plural such as "websites", got "web/sites"'],
    ['kind', 'Web Site', 'Expected `kind` of a custom resource to be a kind such as "WebSite", got "Web Site"'],
    ['kind', '2Sites', 'Expected `kind` of a custom resource to be a kind such as "WebSite", got "2Sites"'],
    ['namespaced', 'true', 'Expected `namespaced` of a custom resource to be true or false, got "true"'],
  ])('refuses the %s %j', (field, value, message) => {
    const names = { ...websites, [field]: value };
    expect(() => customResource(names)).toThrow(new TypeError(message));
  });
});
