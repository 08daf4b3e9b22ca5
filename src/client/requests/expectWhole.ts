import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { resourceName } from '../../api/resourceName.js';
import { isTransformed } from '../../api/transformed.js';
import type { ReplaceOptions } from '../kubeClient.js';

const instead = 'Send the patch of `edit`, or replace what `client.get` returns';

/**
 * Makes sure that an object is not known to lack parts, which a PUT would delete on the server.
 *
 * @throws TypeError when it is metadata alone, or has gone through a transform and the options do not allow that.
 */
export function expectWhole(
  resource: Resource<KubernetesObject, never>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  object: KubernetesObject,
  { allowTransformed = false }: ReplaceOptions,
): void {
  const place = namespace === '' ? name : `${namespace}/${name}`;
  const expected = `Expected the object to replace ${place} of ${resourceName(resource)} with to be as the server sent it`;
  if (object.kind === 'PartialObjectMetadata') {
    throw new TypeError(`${expected}, got its metadata alone: everything else would be deleted. ${instead}`);
  }
  if (!allowTransformed && isTransformed(object)) {
    throw new TypeError(
      `${expected}, got what a \`transform\` made of it: what that took away would be deleted. ${instead}; \`allowTransformed: true\` sends it as it is`,
    );
  }
}
