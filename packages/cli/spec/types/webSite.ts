// Made by rx-informer types of websites.example.com. Do not edit.
import { customResource, type KubernetesObject, type Resource } from 'rx-informer';

/** A site to be served: what the user wants, and what the operator made of it. */
export interface WebSite extends KubernetesObject {
  readonly spec: WebSiteSpec;
  readonly status?: WebSiteStatus | undefined;
}

export interface WebSiteSpec {
  /** The name under which the site is found. */
  readonly host: string;
  readonly image: string;
  /** Default: `1`. */
  readonly replicas?: number | undefined;
}

export interface WebSiteStatus {
  readonly readyReplicas?: number | undefined;
  /** One item for each `type`. */
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly lastTransitionTime: string;
    readonly observedGeneration?: number | undefined;
  }[] | undefined;
}

/** websites.example.com, version v1. */
export const websites: Resource<WebSite> = customResource<WebSite>({
  group: 'example.com',
  version: 'v1',
  plural: 'websites',
  kind: 'WebSite',
  singular: 'website',
  shortNames: ['site'],
  namespaced: true,
  subresources: ['status'],
});
