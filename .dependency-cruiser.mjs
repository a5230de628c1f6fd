/**
 * Who may import whom. `docs/architecture.md` says why; `scripts/boundaries.test.ts` plants a violation of every rule.
 * Type imports count as imports, except for the rules of `runtimeRules`.
 *
 * @typedef {import('dependency-cruiser').IForbiddenRuleType} Rule
 */

/** Tests, what only tests use (`testing/`, `test-….ts`), and declarations. */
const testFile = '(\\.test\\.tsx?|\\.d\\.ts)$|/testing/|/test-[^/]+\\.tsx?$'

/** @param {string} names package names, joined by `|` */
const npm = (names) => `(^|/)node_modules/(${names})/`

/**
 * Files of `room` (tests aside) may import own files only from `allowed`; packages are for other rules to judge.
 *
 * @param {string} name
 * @param {string} comment
 * @param {string} room
 * @param {string[]} allowed
 * @param {string} [except]
 * @returns {Rule}
 */
const room = (name, comment, room, allowed, except) => ({
  name,
  comment,
  severity: 'error',
  from: { path: room, pathNot: except === undefined ? [testFile] : [testFile, except] },
  to: { path: '^(client|server|contract|brands|dsp|sw|e2e|bench|scripts)/', pathNot: allowed },
})

/**
 * @param {string} name
 * @param {string} packages
 * @param {string[]} rooms
 * @returns {Rule}
 */
const packagesOnlyIn = (name, packages, rooms) => ({
  name,
  comment: `${packages.replaceAll('|', ', ')} may be imported only in ${rooms.join(', ')}`,
  severity: 'error',
  from: { path: '^(client|server|contract|brands|dsp|sw)/', pathNot: rooms.map((each) => `^${each}(/|$)`).concat(testFile) },
  to: { path: npm(packages) },
})

/** @type {Rule[]} */
const rooms = [
  room('routes-compose', 'a route parses the address and composes features', '^client/routes/', [
    '^client/(routes|features|bindings|ui)/',
    '^contract/',
  ]),
  {
    name: 'features-apart',
    comment: 'a feature never imports another: share through bindings, compose in routes',
    severity: 'error',
    from: { path: '^client/features/([^/]+)/' },
    to: { path: '^client/features/', pathNot: '^client/features/$1/' },
  },
  room('features-see-bindings-and-ui', 'a feature meets data and player through bindings', '^client/features/', [
    '^client/(features|bindings|ui)/',
    '^contract/',
  ]),
  room('bindings-join', 'bindings join React with data, player, engine and platform', '^client/bindings/', [
    '^client/(bindings|data|player|platform)/',
    '^client/engine/engine\\.ts$',
    '^contract/',
  ]),
  room('data-below', 'data knows the platform and the contract only', '^client/data/', ['^client/(data|platform)/', '^contract/']),
  room('player-below', 'the player knows data, platform and the contract only', '^client/player/', [
    '^client/(player|data|platform)/',
    '^contract/',
  ]),
  room('engine-below', 'the engine knows pure sound only', '^client/engine/', ['^client/engine/', '^dsp/']),
  room('ui-knows-no-data', 'a part of the interface knows no data', '^client/ui/', ['^client/ui/']),
  room('platform-edge', 'the platform is the thin edge of the page', '^client/platform/', ['^client/platform/', '^contract/']),
  room('contract-alone', 'the contract imports no sibling', '^contract/', ['^contract/']),
  room('dsp-alone', 'pure sound imports nothing', '^dsp/', ['^dsp/']),
  room('brands-are-data', 'a brand is data that the contract describes', '^brands/', ['^brands/', '^contract/']),
  room('service-worker-alone', 'the service worker knows the contract at most', '^sw/', ['^sw/', '^contract/']),
  room('client-apart', 'the page never imports the server', '^client/', ['^(client|contract|brands|dsp)/']),
  room('server-apart', 'the server never imports the page', '^server/', ['^(server|contract|brands)/', '^dsp/']),
  room(
    'dsp-in-conversion',
    'on the server only conversion handles sound',
    '^server/',
    ['^(server|contract|brands)/'],
    '^server/conversion/',
  ),
  room(
    'storage-by-interface',
    'routes, pages and services see storage by its interfaces',
    '^server/(http|routes|pages|services|identity|conversion)/',
    [
      '^server/(http|routes|pages|services|identity|conversion)/',
      '^server/[^/]+\\.ts$',
      '^server/storage/storage\\.ts$',
      '^(contract|brands|dsp)/',
    ],
  ),
  room('services-below-routes', 'a service knows no route', '^server/services/', [
    '^server/services/',
    '^server/config\\.ts$',
    '^server/storage/storage\\.ts$',
    '^(contract|brands)/',
  ]),
  room('storage-below', 'storage knows the contract only', '^server/storage/', ['^server/storage/', '^contract/']),
]

/** @type {Rule[]} */
const packages = [
  packagesOnlyIn('sql-in-storage', 'kysely|better-sqlite3|pg|@electric-sql/pglite', ['server/storage']),
  packagesOnlyIn('dexie-in-data', 'dexie', ['client/data']),
  packagesOnlyIn('dexie-hooks-in-bindings', 'dexie-react-hooks', ['client/bindings']),
  packagesOnlyIn('firebase-in-platform', 'firebase|@firebase', ['client/platform']),
  packagesOnlyIn('codecs-in-engine', 'tone|audiobuffer-to-wav|music-tempo|wasm-media-encoders|mediabunny|mpg123-decoder|audio-decode', [
    'client/engine',
    'server/conversion',
  ]),
  packagesOnlyIn('react-in-view', 'react|react-dom|@tanstack/[^/]+', [
    ...['app', 'routes', 'features', 'bindings', 'ui', 'entry\\.ts', 'main\\.tsx', 'prerender\\.tsx', 'routeTree\\.gen\\.ts'].map(
      (each) => `client/${each}`,
    ),
  ]),
  packagesOnlyIn(
    'server-packages-in-server',
    'fastify|@fastify/[^/]+|pino|sharp|sanitize-html|close-with-grace|jose|@node-rs/argon2|nodemailer',
    ['server'],
  ),
  {
    name: 'node-not-in-page',
    comment: 'what runs in a page has no Node modules',
    severity: 'error',
    from: { path: '^(client|contract|dsp|sw)/', pathNot: testFile },
    to: { dependencyTypes: ['core'] },
  },
]

/** @type {Rule[]} */
const everywhere = [
  { name: 'no-cycles', comment: 'modules must not import in a circle', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'resolvable',
    comment: 'the imported module does not exist',
    severity: 'error',
    from: {},
    // The build makes what is in dist, and fails itself where a file is missing whose address is asked for.
    to: { couldNotResolve: true, pathNot: '(^|/)dist/|[?]url$' },
  },
  {
    name: 'no-test-in-product',
    comment: 'product code imports no test, bench or script',
    severity: 'error',
    from: { path: '^(client|server|contract|brands|dsp|sw)/', pathNot: testFile },
    to: { path: ['\\.test\\.tsx?$', '^(client|server)/.*testing/', '^(client|server)/.*test-[^/]+\\.tsx?$', '^(e2e|bench|scripts)/'] },
  },
  {
    name: 'no-dev-package-in-product',
    comment: 'product code imports production dependencies only',
    severity: 'error',
    from: { path: '^(client|server|contract|brands|dsp|sw)/', pathNot: testFile },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: npm('@types/[^/]+') },
  },
]

/** Judged on what is left at run time, type imports removed. */
export const runtimeRules = [
  /** @type {Rule} */ ({
    name: 'no-schema-code-in-page',
    comment: 'the page takes types from schemas, no schema code',
    severity: 'error',
    from: { path: '^client/(?:entry\\.ts|main\\.tsx)$' },
    to: { path: npm('typebox|@sinclair/typebox'), reachable: true },
  }),
]

export const importRules = [...rooms, ...packages, ...everywhere]
