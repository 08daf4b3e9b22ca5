import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const needed = ['etcd', 'kube-apiserver'] as const;

type NeededName = (typeof needed)[number];
type OptionalName = 'kube-controller-manager';

/** The paths of the programs of a control plane; an optional one is undefined if it was not found. */
export type Binaries = Readonly<Record<NeededName, string> & Record<OptionalName, string | undefined>>;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the programs of a control plane: in `assets`, else in the folder of `KUBEBUILDER_ASSETS`, else on the `PATH`.
 *
 * @throws Error that names the missing program, the places that were searched, and where to get it.
 */
export function findBinaries(assets: string | undefined, env: NodeJS.ProcessEnv = process.env): Binaries {
  const folder = assets ?? env['KUBEBUILDER_ASSETS'];
  const folders = folder === undefined || folder === '' ? (env['PATH'] ?? '').split(delimiter).filter((path) => path !== '') : [folder];
  const find = (name: NeededName | OptionalName): string | undefined => folders.map((path) => resolve(join(path, name))).find(isProgram);
  const must = (name: NeededName): string => {
    const path = find(name);
    if (path !== undefined) return path;
    const where = folder === undefined || folder === '' ? 'the PATH' : `the folder ${JSON.stringify(folder)}`;
    throw new Error(
      `Expected the program ${name} in ${where}. Set KUBEBUILDER_ASSETS to a folder with ${needed.join(' and ')}: \`setup-envtest use -p path\` ` +
        'of controller-runtime fetches them and prints it, and so does a release of Kubernetes and of etcd, unpacked.',
    );
  };
  return { etcd: must('etcd'), 'kube-apiserver': must('kube-apiserver'), 'kube-controller-manager': find('kube-controller-manager') };
}
