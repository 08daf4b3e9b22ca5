// npm run chart: generates a Helm chart in chart/ from manifests/operator.yaml and crds/. Edit only the manifests; if you do not use Helm,
// delete this file.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const read = (file) => readFileSync(file, 'utf8');
const isNamespace = (text) => /^kind: Namespace$/m.test(text);

/** Finds a value in the manifests, for values.yaml. */
function take(text, pattern, what) {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`expected manifests/operator.yaml to have ${what}`);
  return found;
}

const documents = read('manifests/operator.yaml').split(/^---\n/m);
// Helm creates the namespace: helm install --create-namespace.
const operator = documents.filter((text) => !isNamespace(text)).join('---\n');
const image = take(operator, /^ +image: ([^\s:]+(?::\d+\/[^\s:]+)?):\S+$/m, 'an image with a tag');
const replicas = take(operator, /^ +replicas: (\d+)$/m, 'replicas');
const resources = take(operator, /^ +resources: (\{.*\})$/m, 'resources in one line');

const template = operator
  .replace(/^( +image: ).*$/m, '$1{{ .Values.image }}:{{ .Values.tag | default .Chart.AppVersion }}')
  .replace(/^( +replicas: ).*$/m, '$1{{ .Values.replicas }}')
  .replace(/^( +resources: ).*$/m, '$1{{ toJson .Values.resources }}')
  // Quoted, since YAML would read a release name such as 123 as a number.
  .replace(new RegExp(`(\\bnamespace: )${name}\\b`, 'g'), '$1{{ quote .Release.Namespace }}')
  .replace(new RegExp(`(\\b(?:name|app|serviceAccountName): )${name}\\b`, 'g'), '$1{{ quote .Release.Name }}');

const files = {
  'Chart.yaml': `apiVersion: v2\ntype: application\nname: ${name}\nversion: ${version}\nappVersion: ${version}\n`,
  'values.yaml': `image: ${image}\n# The version of the chart, if it is empty.\ntag: ''\nreplicas: ${replicas}\nresources: ${resources}\n`,
  'templates/operator.yaml': template,
};
for (const file of readdirSync('crds').filter((each) => each.endsWith('.yaml'))) {
  const text = read(`crds/${file}`);
  if (/^kind: CustomResourceDefinition$/m.test(text)) files[`crds/${file}`] = text;
}

rmSync('chart', { recursive: true, force: true });
mkdirSync('chart/templates', { recursive: true });
mkdirSync('chart/crds', { recursive: true });
for (const [file, text] of Object.entries(files)) writeFileSync(`chart/${file}`, text);
console.log(`chart ${name} ${version}: helm install ${name} chart --namespace ${name} --create-namespace`);
