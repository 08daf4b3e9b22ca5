import { AsyncLocalStorage } from 'node:async_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext, compileFunction, Script, SourceTextModule } = vm;

/** A worker runs many specs, which load the same modules, each in a context of its own. What was compiled for one serves the others. */
const functions = new Map();
const modules = new Map();

/** What does has a callback of its own in each context. */
const importsDynamically = (code) => /\bimport\s*\(/.test(code);

/** The same as Node's for CommonJS. */
vm.compileFunction = (code, names, options) => {
  const { filename, parsingContext } = options ?? {};
  if (parsingContext === undefined || code.startsWith('#!')) return compileFunction(code, names, options);
  let known = functions.get(filename);
  if (known?.code !== code) {
    if (importsDynamically(code)) {
      const made = compileFunction(code, names, { ...options, produceCachedData: true });
      functions.set(filename, { code, data: made.cachedData });
      return made;
    }
    // A script keeps also what the engine compiles of it later.
    const head = `(function (${names.join(',')}) {`;
    known = { code, script: new Script(`${head}${code}\n})`, { filename, columnOffset: -head.length }) };
    functions.set(filename, known);
  }
  if (known.script === undefined) return compileFunction(code, names, { ...options, cachedData: known.data });
  return known.script.runInContext(parsingContext);
};

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code, options) {
    const { identifier } = options;
    const known = modules.get(identifier);
    if (known?.code === code) {
      try {
        super(code, { ...options, cachedData: known.data });
        return;
      } catch {
        // It was compiled under other flags of the engine: the specs of leaks set one.
      }
    }
    super(code, options);
    // A spec is loaded once.
    if (!identifier.endsWith('.spec.ts') && !importsDynamically(code)) modules.set(identifier, { code, data: this.createCachedData() });
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
