import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier/flat';
import { rules as importRules } from 'eslint-plugin-import-x';
import jest from 'eslint-plugin-jest';
import rxjsX from 'eslint-plugin-rxjs-x';
import tsdoc from 'eslint-plugin-tsdoc';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const importX = { rules: importRules };

/** Time and chance are injected (`scheduler`, `random`), so that a test can run a whole pipeline in virtual time. */
const ambientTimeAndChance = {
  'no-restricted-globals': [
    'error',
    ...['setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame'].map((name) => ({
      name,
      message: 'Take a `scheduler` and use timer() or scheduler.schedule().',
    })),
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: 'Use scheduler.now().' },
    { object: 'performance', property: 'now', message: 'Use scheduler.now().' },
    { object: 'AbortSignal', property: 'timeout', message: 'Take a `scheduler` and use timer().' },
    ...['setTimeout', 'setInterval', 'setImmediate'].map((property) => ({ object: 'globalThis', property })),
  ],
};

const noExportStar = { selector: 'ExportAllDeclaration[exportKind!="type"]', message: 'Name what is exported, one by one.' };
const noAmbientChance = {
  selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
  message: 'Take a `random` function; Math.random itself may be its default.',
};
const noAmbientDate = { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Use new Date(scheduler.now()).' };

const rxjsImports = {
  paths: [
    { name: 'rxjs', importNames: ['shareReplay'], message: 'Use share({ connector, ... }): shareReplay keeps its source open.' },
    { name: 'rxjs/operators', message: "Import from 'rxjs'." },
  ],
  patterns: [{ group: ['rxjs/internal/*', 'rxjs/src/*', 'rxjs/dist/*'], message: 'Only what RxJS publishes.' }],
};

/** One program, and those of pages, which have other globals. */
const projects = [
  'workshop/tsconfig.lint.json',
  'packages/inspector/src/page/tsconfig.json',
  'examples/dashboard/page/tsconfig.json',
  'workshop/site/playground/tsconfig.json',
];

const config = defineConfig(
  globalIgnores([
    '**/dist',
    'coverage',
    'reports',
    'workshop/.examples',
    'docs',
    'docs-site',
    'workshop/site/.pages',
    'workshop/consumers',
    'packages/create',
    '**/node_modules',
    'src/api/kubernetes',
    'src/api/resources.ts',
  ]),
  {
    files: ['**/*.{ts,js,mjs}'],
    extends: [eslint.configs.recommended],
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
    plugins: { 'import-x': importX },
    rules: {
      eqeqeq: 'error',
      'import-x/no-default-export': 'error',
      'no-restricted-syntax': ['error', noExportStar],
      'no-restricted-imports': ['error', rxjsImports],
    },
  },
  {
    files: ['workshop/site/lookAtPage.js'],
    languageOptions: { globals: { document: 'readonly', getComputedStyle: 'readonly', location: 'readonly', NodeFilter: 'readonly' } },
  },
  {
    files: [
      '*.config.js',
      'workshop/.dependency-cruiser.js',
      'workshop/jest/*.js',
      'workshop/stryker.config.mjs',
      'workshop/site/.vitepress/**/*.js',
    ],
    rules: { 'import-x/no-default-export': 'off' },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, rxjsX.configs.strict],
    plugins: { tsdoc },
    languageOptions: { parserOptions: { project: projects, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off', // `erasableSyntaxOnly` refuses enums, and the rule takes a tenth of the time
      '@typescript-eslint/no-invalid-void-type': 'off', // a handler may return `void | Promise<void>`
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      'rxjs-x/throw-error': ['error', { allowThrowingAny: false, allowThrowingUnknown: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'rxjs-x/finnish': [
        'error',
        { functions: false, methods: false, objects: false, parameters: false, properties: true, variables: false, strict: false },
      ],
      'tsdoc/syntax': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
    rules: {
      ...ambientTimeAndChance,
      'max-lines': ['warn', 400],
      'max-lines-per-function': ['warn', 50],
      'no-restricted-syntax': ['error', noExportStar, noAmbientChance, noAmbientDate],
      'no-restricted-imports': [
        'error',
        {
          ...rxjsImports,
          patterns: [
            ...rxjsImports.patterns,
            { group: ['node:*'], message: 'Only cli, api-server, inspector, manager, testing, relay/serve and client/node know Node.' },
          ],
        },
      ],
    },
  },
  {
    files: [
      'packages/cli/src/**',
      'packages/controller/src/manager/**',
      'packages/controller/src/webhooks/**',
      'packages/inspector/src/**',
      'src/testing/**',
      'packages/api-server/src/**',
      'src/client/node/**',
      'packages/relay/src/serve/**',
    ],
    rules: { 'no-restricted-imports': ['error', rxjsImports] },
  },
  {
    files: [
      'packages/cli/src/**',
      'src/testing/**',
      'packages/api-server/src/**',
      'src/client/node/**',
      'src/client/**/*[tT]ransport*.ts',
      // It is of the program's real time, whatever schedulers that has, and of a browser's.
      'packages/inspector/src/**',
      'src/api/clock.ts',
      'src/client/requests/steadyScheduler.ts',
    ],
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', noExportStar],
    },
  },
  { files: ['{src,packages/*/src}/**/index.ts', 'src/internal.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['{spec,packages/*/spec,workshop/spec}/**/*.ts'],
    extends: [jest.configs['flat/recommended']],
    settings: { jest: { globalPackage: '@jest/globals', version: 30 } },
    rules: {
      'jest/expect-expect': [
        'error',
        {
          assertFunctionNames: [
            'expect',
            'expectObservable',
            'checkOperatorLaw',
            'expectSubscriptions',
            'fc.assert',
            'expectTypeOf',
            '*.expectObservable',
          ],
        },
      ],
      'jest/no-disabled-tests': 'error',
      // A spec looks at what it expects, and subscribing inside a handler is what some of them are about.
      'rxjs-x/no-ignored-error': 'off',
      'rxjs-x/no-nested-subscribe': 'off',
      'jest/no-standalone-expect': ['error', { additionalTestBlockFunctions: ['itControlled', 'itEmbedded', 'inBrowser', 'inShell'] }],
    },
  },
  prettier,
);

export default config;
