/**
 * The allowed imports between folders. `docs/architecture.md` explains them; `scripts/boundaries.test.ts` plants a violation of every rule.
 * Type imports count as imports, except for the rules of `runtimeRules`.
 *
 * @typedef {import('dependency-cruiser').IForbiddenRuleType} Rule
 */

/** Matches paths of tests, of modules that only tests use (`testing/`, `test-….ts`), and of type declarations. */
const testFilePattern = '(\\.test\\.tsx?|\\.d\\.ts)$|/testing/|/test-[^/]+\\.tsx?$'

/** Returns a pattern for the paths of packages. @param {string} names package names, joined by `|` */
const createNpmPathPattern = (names) => `(^|/)node_modules/(${names})/`

/**
 * Creates a rule: files of `importedFolder`, except tests, may import files of the project only from `allowedFolders`. Imports of packages are not checked.
 *
 * @param {string} ruleName
 * @param {string} ruleComment
 * @param {string} importedFolder
 * @param {string[]} allowedFolders
 * @param {string} [exceptPath]
 * @returns {Rule}
 */
const allowImports = (ruleName, ruleComment, importedFolder, allowedFolders, exceptPath) => ({
  name: ruleName,
  comment: ruleComment,
  severity: 'error',
  from: { path: importedFolder, pathNot: exceptPath === undefined ? [testFilePattern] : [testFilePattern, exceptPath] },
  to: { path: '^(client|server|contract|brands|dsp|sw|e2e|bench|scripts|testing)/', pathNot: allowedFolders },
})

/**
 * Creates a rule: the packages may be imported only by files in `allowedFolders`.
 *
 * @param {string} ruleName
 * @param {string} packageNames
 * @param {string[]} allowedFolders
 * @returns {Rule}
 */
const allowPackagesIn = (ruleName, packageNames, allowedFolders) => ({
  name: ruleName,
  comment: `${packageNames.replaceAll('|', ', ')} may be imported only in ${allowedFolders.join(', ')}`,
  severity: 'error',
  from: {
    path: '^(client|server|contract|brands|dsp|sw)/',
    pathNot: allowedFolders.map((folder) => `^${folder}(/|$)`).concat(testFilePattern),
  },
  to: { path: createNpmPathPattern(packageNames) },
})

/** @type {Rule[]} */
const folderRules = [
  allowImports('routes-compose', 'a route parses the address and composes features', '^client/routes/', [
    '^client/(routes|features|components|hooks|ui|primitives)/',
    '^contract/',
  ]),
  {
    name: 'features-apart',
    comment: 'a feature never imports another: share through components and hooks, compose in routes',
    severity: 'error',
    from: { path: '^client/features/([^/]+)/' },
    to: { path: '^client/features/', pathNot: '^client/features/$1/' },
  },
  allowImports('feature-views-use-hooks', "a feature's components access data and player through hooks", '^client/features/.*\\.tsx$', [
    '^client/(features|components|hooks|ui|primitives)/',
    '^contract/',
  ]),
  allowImports(
    'feature-modules-join',
    "a feature's hooks and rules join it with data, player, engine and platform",
    '^client/features/.*\\.ts$',
    ['^client/(features|components|hooks|ui|data|player|platform|primitives)/', '^client/engine/engine\\.ts$', '^contract/'],
  ),
  allowImports('components-use-hooks', 'a shared component accesses data and player through hooks', '^client/components/', [
    '^client/(components|hooks|ui|primitives)/',
    '^contract/',
  ]),
  allowImports('hooks-join', 'shared hooks join React with data, player, engine and platform', '^client/hooks/', [
    '^client/(hooks|data|player|platform|primitives)/',
    '^client/engine/engine\\.ts$',
    '^contract/',
  ]),
  allowImports('data-below', 'data imports only the platform, the primitives and the contract', '^client/data/', [
    '^client/(data|platform|primitives)/',
    '^contract/',
  ]),
  allowImports('player-below', 'the player imports only data, the platform, the primitives and the contract', '^client/player/', [
    '^client/(player|data|platform|primitives)/',
    '^contract/',
  ]),
  allowImports(
    'engine-below',
    'the engine imports only the primitives, dsp, and the contract of audio files and their names',
    '^client/engine/',
    ['^client/(engine|primitives)/', '^contract/(audio-files|file-name)\\.ts$', '^dsp/'],
  ),
  allowImports('ui-knows-no-data', 'ui components import no data', '^client/ui/', ['^client/(ui|primitives)/']),
  allowImports('platform-edge', 'the platform imports only the primitives and the contract', '^client/platform/', [
    '^client/(platform|primitives)/',
    '^contract/',
  ]),
  allowImports('primitives-alone', 'primitives import no other folder', '^client/primitives/', ['^client/primitives/']),
  allowImports('contract-alone', 'the contract imports no other folder', '^contract/', ['^contract/']),
  allowImports('dsp-alone', 'dsp imports no other folder', '^dsp/', ['^dsp/']),
  allowImports('brands-are-data', 'brands import only the contract', '^brands/', ['^brands/', '^contract/']),
  allowImports('service-worker-alone', 'the service worker imports only the contract', '^sw/', ['^sw/', '^contract/']),
  allowImports('client-apart', 'the page never imports the server', '^client/', ['^(client|contract|brands|dsp)/']),
  allowImports('server-apart', 'the server never imports the page', '^server/', ['^(server|contract|brands)/', '^dsp/']),
  allowImports(
    'dsp-in-conversion',
    'on the server only conversion imports dsp',
    '^server/',
    ['^(server|contract|brands)/'],
    '^server/conversion/',
  ),
  allowImports(
    'storage-by-stores',
    'the folders of the capabilities access the database through stores; these alone import other modules of storage',
    '^server/(?!admin/|demo/|storage/)[^/]+/(?!store[-.])',
    ['^server/(?!storage/)', '^server/storage/(errors|open|pagination)\\.ts', '^(contract|brands|dsp)/'],
  ),
  allowImports(
    'stores-below',
    'a store imports only stores, storage, texts, the contract and its own folder',
    '^server/([^/]+)/store[-.]',
    ['^server/$1/(?!routes[-.])', '^server/[^/]+/store[-.]', '^server/(storage|text)/', '^server/durations\\.ts$', '^contract/'],
  ),
  {
    name: 'routes-in-app',
    comment: 'only server/app.ts imports the routes of a capability',
    severity: 'error',
    from: { path: '^server/', pathNot: ['^server/app\\.ts$', testFilePattern] },
    to: { path: '^server/[^/]+/routes[-.]' },
  },
  {
    name: 'commands-in-admin',
    comment: 'only server/admin/commands.ts imports the admin commands of a capability',
    severity: 'error',
    from: { path: '^server/', pathNot: ['^server/admin/commands\\.ts$', testFilePattern] },
    to: { path: '^server/(?!admin/)[^/]+/commands\\.ts$' },
  },
  allowImports(
    'storage-below',
    'storage imports only texts and the contract; open.ts and migrations.ts join the stores',
    '^server/storage/',
    ['^server/(storage|text)/', '^server/durations\\.ts$', '^contract/'],
    '^server/storage/(open|migrations)\\.ts$',
  ),
  allowImports('text-below', 'texts import only the contract and the durations', '^server/text/', [
    '^server/text/',
    '^server/durations\\.ts$',
    '^contract/',
  ]),
]

/** @type {Rule[]} */
const packageRules = [
  allowPackagesIn('sql-in-stores', 'kysely|better-sqlite3(?:-node20)?|pg|@electric-sql/pglite', [
    'server/storage',
    'server/[^/]+/store[-.][^/]+',
  ]),
  allowPackagesIn('dexie-in-data', 'dexie', ['client/data']),
  allowPackagesIn('firebase-in-platform', 'firebase|@firebase', ['client/platform']),
  allowPackagesIn('codecs-in-engine', 'tone|audiobuffer-to-wav|wasm-media-encoders|mediabunny|mpg123-decoder|audio-decode', [
    'client/engine',
    'server/conversion',
  ]),
  allowPackagesIn('react-in-view', 'react|react-dom|@tanstack/[^/]+', [
    ...[
      'app',
      'routes',
      'features',
      'components',
      'hooks',
      'ui',
      'entry\\.ts',
      'main\\.tsx',
      'prerender\\.tsx',
      'routeTree\\.gen\\.ts',
    ].map((each) => `client/${each}`),
  ]),
  allowPackagesIn(
    'server-packages-in-server',
    'fastify|@fastify/[^/]+|pino|sharp|sanitize-html|close-with-grace|jose|@node-rs/argon2|nodemailer',
    ['server'],
  ),
  {
    name: 'node-not-in-page',
    comment: 'code for the browser imports no Node modules',
    severity: 'error',
    from: { path: '^(client|contract|dsp|sw)/', pathNot: testFilePattern },
    to: { dependencyTypes: ['core'] },
  },
]

/** @type {Rule[]} */
const rulesForAllFiles = [
  { name: 'no-cycles', comment: 'modules must not import in a circle', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'resolvable',
    comment: 'the imported module does not exist',
    severity: 'error',
    from: {},
    // Imports of files in dist with `?url` are not checked: these files exist only after a build, and Vite itself reports a missing one.
    to: { couldNotResolve: true, pathNot: '(^|/)dist/|[?]url$' },
  },
  {
    name: 'no-test-in-product',
    comment: 'product code imports no test, bench or script',
    severity: 'error',
    from: { path: '^(client|server|contract|brands|dsp|sw)/', pathNot: testFilePattern },
    to: {
      path: ['\\.test\\.tsx?$', '^(client|server)/.*testing/', '^(client|server)/.*test-[^/]+\\.tsx?$', '^(e2e|bench|scripts|testing)/'],
    },
  },
  {
    name: 'no-dev-package-in-product',
    comment: 'product code imports production dependencies only',
    severity: 'error',
    from: { path: '^(client|server|contract|brands|dsp|sw)/', pathNot: testFilePattern },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: createNpmPathPattern('@types/[^/]+') },
  },
]

/** The rules that check only the imports that remain at run time, without type imports. */
export const runtimeRules = [
  /** @type {Rule} */ ({
    name: 'stores-by-type',
    comment: 'only open.ts and migrations.ts of server/storage and other stores import a store; the rest of the server imports its types',
    severity: 'error',
    from: { path: '^server/', pathNot: ['^server/storage/(open|migrations)\\.ts$', '^server/[^/]+/store[-.]', testFilePattern] },
    to: { path: '^server/[^/]+/store[-.]' },
  }),
  /** @type {Rule} */ ({
    name: 'storage-by-type',
    comment: 'only the programs and the backup open the storage; the rest of the server imports its types',
    severity: 'error',
    from: { path: '^server/', pathNot: ['^server/(main|admin/run-command|storage/backup/restore-backup)\\.ts$', testFilePattern] },
    to: { path: '^server/storage/open\\.ts$' },
  }),
  /** @type {Rule} */ ({
    name: 'no-schema-code-in-page',
    comment: 'the page imports only types of schemas, no schema code',
    severity: 'error',
    from: { path: '^client/(?:entry\\.ts|main\\.tsx)$' },
    to: { path: createNpmPathPattern('typebox|@sinclair/typebox'), reachable: true },
  }),
]

export const importRules = [...folderRules, ...packageRules, ...rulesForAllFiles]
