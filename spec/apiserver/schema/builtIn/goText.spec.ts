import { describe, expect, it } from '@jest/globals';
import { goDiff, goText } from '../../../../src/apiserver/schema/builtIn/goText.js';
import type { JsonObject } from '../../../../src/apiserver/json.js';

describe('goText', () => {
  it('shows every field of a struct, in its order and under its name in Go', () => {
    expect(goText({ key: 'a', value: '<b>' }, 'core.Toleration')).toBe(
      '{"Key":"a","Operator":"","Value":"\\u003cb\\u003e","Effect":"","TolerationSeconds":null}',
    );
  });

  it('leaves out what has a name in JSON and may be left out', () => {
    expect(goText({ matchLabels: { b: '1', a: '2' } }, '*metav1.LabelSelector')).toBe('{"matchLabels":{"a":"2","b":"1"}}');
    expect(goText(undefined, '*metav1.LabelSelector')).toBe('null');
  });

  it('puts the metadata of a template beside its spec', () => {
    expect(goText({ metadata: { labels: { a: 'b' } } }, 'core.PodTemplateSpec')).toMatch(
      /^\{"labels":\{"a":"b"\},"Spec":\{"Volumes":null,/,
    );
  });
});

describe('goDiff', () => {
  const pod = (image: string, more: JsonObject = {}): JsonObject => ({ containers: [{ name: 'c', image }], ...more });

  it('shows three lines around a change, and says where it is', () => {
    expect(goDiff(pod('a'), pod('b'), 'core.PodSpec')).toBe(
      `@@ -4,7 +4,7 @@
  "Containers": [
   {
    "Name": "c",
-   "Image": "a",
+   "Image": "b",
    "Command": null,
    "Args": null,
    "WorkingDir": "",
`,
    );
  });

  it('shows changes that are far apart each on its own', () => {
    const text = goDiff(pod('a'), pod('b', { hostNetwork: true }), 'core.PodSpec');
    expect(text.match(/^@@ /gm)).toHaveLength(2);
    expect(text).toContain('-  "HostNetwork": false,\n+  "HostNetwork": true,\n');
  });

  it('shows nothing where nothing is different', () => {
    expect(goDiff(pod('a'), pod('a'), 'core.PodSpec')).toBe('');
  });

  it('shows what is added and removed', () => {
    const text = goDiff({ nodeSelector: { a: 'b' } }, { tolerations: [{ key: 'k' }] }, 'core.PodSpec');
    expect(text).toContain('- "NodeSelector": {\n-  "a": "b"\n- },\n+ "NodeSelector": null,\n');
    expect(text).toContain('+ "Tolerations": [\n');
  });
});
