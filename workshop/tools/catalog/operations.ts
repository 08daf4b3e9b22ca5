import { readFileSync } from 'node:fs';
import * as clientNode from '@kubernetes/client-node';

/** One request of an API class of client-node. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Whether the request takes the parameter `watch`. */
  readonly watch: boolean;
  /** The type of the request's body. */
  readonly body: string | undefined;
  /** The type of the answer. */
  readonly answer: string | undefined;
}

/** The methods of all classes in a file: their text by name. */
function methodsOf(text: string): Map<string, string> {
  const starts = text.split(/^ {4}async (?=\w+\()/m).slice(1);
  return new Map(starts.map((method) => [/^\w+/.exec(method)?.[0] ?? '', method]));
}

function readApi(api: string): Operation[] {
  const file = new URL(`gen/apis/${api}.js`, import.meta.resolve('@kubernetes/client-node'));
  const methods = methodsOf(readFileSync(file, 'utf8'));
  const operations: Operation[] = [];
  for (const [name, text] of methods) {
    const path = /localVarPath = '([^']*)'/.exec(text)?.[1];
    const method = /HttpMethod\.([A-Z]+)\)/.exec(text)?.[1];
    if (path === undefined || method === undefined) continue;
    operations.push({
      method,
      path,
      watch: text.includes('setQueryParam("watch"'),
      body: /ObjectSerializer\.serialize\(body, "([^"]+)"/.exec(text)?.[1],
      answer: /ObjectSerializer\.deserialize\(.*, "([^"]+)", "/.exec(methods.get(`${name}WithHttpInfo`) ?? '')?.[1],
    });
  }
  if (operations.length === 0) throw new Error(`No request was found in ${api}`);
  return operations;
}

/** Every request of the API classes that the installed client-node exports; the package also has unused files of older versions. */
export function readOperations(): readonly Operation[] {
  const apis = Object.keys(clientNode).filter((name) => /V\d\w*Api$/.test(name) || /^(Core|Apis|Apps|Version)Api$/.test(name));
  return apis.sort().flatMap(readApi);
}
