import { AsyncLocalStorage } from 'node:async_hooks';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext, compileFunction, Script, SourceTextModule } = vm;

/** A worker runs many specs, which load the same modules, each in a context of its own. What was compiled for one serves the others. */
const compiled = new Map();

/** A spec may set flags of the engine, which then takes nothing that was compiled without them. */
const keyOf = (kind, name) => `${kind} ${name} ${cachedDataVersionTag()}`;

function oncePer(kind, name, code, make) {
  const key = keyOf(kind, name);
  const known = compiled.get(key);
  if (known?.code === code) return known.value;
  const value = make();
  compiled.set(key, { code, value });
  return value;
}

/** What does has a callback of its own in each context. */
const importsDynamically = (code) => /\bimport\s*\(/.test(code);

/** The same as Node's for CommonJS that imports nothing dynamically: a script keeps what the engine compiled of it, a function does not. */
vm.compileFunction = (code, names, options) => {
  const { filename, parsingContext } = options ?? {};
  if (parsingContext === undefined || importsDynamically(code)) return compileFunction(code, names, options);
  const script = oncePer('script', filename, code, () => new Script(`(function (${names.join(',')}) {${code}\n})`, { filename }));
  return script.runInContext(parsingContext);
};

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code, options) {
    const { identifier } = options;
    // A spec is loaded once.
    const isKept = !identifier.endsWith('.spec.ts') && !importsDynamically(code);
    const known = isKept ? compiled.get(keyOf('module', identifier)) : undefined;
    super(code, known?.code === code ? { ...options, cachedData: known.value } : options);
    if (isKept) oncePer('module', identifier, code, () => this.createCachedData());
  }
};

/**
 * Jest keeps in it which test runs, so that an error outside of the test is told of the right one. Tests run one after another here, for which a
 * variable does; Node's would call hooks for each promise of the process.
 */
AsyncLocalStorage.prototype.run = function run(store, callback, ...args) {
  this.store = store;
  return callback(...args);
};
AsyncLocalStorage.prototype.getStore = function getStore() {
  return this.store;
};

/** Jest's, but each spec has a plain global object. Jest's is a proxy, by which every look at a global takes a hundred times as long. */
export default class extends TestEnvironment {
  constructor(config, context) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    // Jest sets 100, and `expect` makes errors even where nothing fails.
    this.global.Error.stackTraceLimit = 10; // as in Node
  }
}
