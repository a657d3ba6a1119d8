/** The floors of ARCHITECTURE.md as rules. Each comment speaks to the person who broke the rule. */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file in two pieces: move what both need below them.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'ground-engine-is-bare',
      comment:
        'The engine stands on Node built-ins only: say what you need as a port and let a module fill it.',
      severity: 'error',
      from: { path: '^src/common/engine/', pathNot: '(\\.spec\\.ts$|/testing/)' },
      to: { pathNot: '^src/common/engine/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'ground-starlang-is-bare',
      comment:
        'Starlang knows neither the engine nor a framework. Parser libraries stand behind formats/ and regex/ adapters.',
      severity: 'error',
      from: { path: '^src/common/starlang/', pathNot: '(\\.spec\\.ts$|/testing/)' },
      to: {
        pathNot:
          '^(src/common/starlang/|node_modules/(re2js|yaml|saxes|csv-parse|csv-stringify|decimal\\.js)/)',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'starlang-libraries-behind-adapters',
      comment: 'A library of Starlang is imported by one adapter file, so that it can be replaced there.',
      severity: 'error',
      from: {
        path: '^src/common/starlang/',
        pathNot: '^src/common/starlang/(formats|regex|numbers)/|\\.spec\\.ts$',
      },
      to: { path: '^node_modules/' },
    },
    {
      name: 'dsl-looks-down',
      comment: 'The YAML loader may use yaml, ajv, the engine and Starlang; nothing above it.',
      severity: 'error',
      from: { path: '^src/common/dsl/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/common/(dsl|engine|starlang)/' },
    },
    {
      name: 'components-see-the-engine-only',
      comment:
        'A component depends on the engine API alone: declare a port at its top and let a module fill it.',
      severity: 'error',
      from: { path: '^src/components/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^(src/common/engine/|src/components/$1/)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'platform-is-for-modules',
      comment: 'The platform wing (Nest, TypeORM, config) is seen by modules and the roof only.',
      severity: 'error',
      from: { path: '^src/(common/(engine|starlang|dsl)|components)/' },
      to: { path: '^src/common/platform/' },
    },
    {
      name: 'nobody-looks-up',
      comment: 'src/common and src/components stand below the modules: turn the arrow round with a port.',
      severity: 'error',
      from: { path: '^src/(common|components)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/(modules/|main\\.ts|cli\\.ts|app\\.module\\.ts)' },
    },
    {
      name: 'modules-by-the-door',
      comment: 'A module sees another module only through its index.ts: export what you need there.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/([^/]+)/', pathNot: '^src/modules/($1/|[^/]+/index\\.ts$)' },
    },
    {
      name: 'mcp-sdk-has-one-door',
      comment:
        'A protocol SDK is imported under src/modules/mcp-*/sdk/ only, so that its changes have one door.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/modules/mcp-[^/]+/sdk/' },
      to: { path: '^node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'entities-stay-home',
      comment: 'An entity is seen by its own folder only: other modules speak the domain type.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '\\.entity\\.ts$', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'no-orphan-package',
      comment: 'Import only what package.json lists.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    {
      name: 'product-without-dev-packages',
      comment: 'The product runs without devDependencies: move the package or the import.',
      severity: 'error',
      from: { path: '^(src/|ormconfig\\.ts)', pathNot: '(\\.spec\\.ts$|/testing/)' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/@types/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
