import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, test as base, expect } from '@playwright/test'
import { catalogueIds, createTestCatalogue } from './catalogue.ts'
import type { IdentityTestSite } from './identity/identity-test-site.ts'
import { prepareFolderOnce } from './prepared.ts'
import { type Site, startSite } from './server.ts'
import { installVideoPlatform, type VideoPlatform } from './stand-ins/video-platform.ts'

/** The page errors that a test expects. Every other page error fails the test. */
export interface ExpectedFaults {
  /** Accepts console errors and uncaught errors that match `pattern`. */
  expect(pattern: RegExp): void
}

export const brands = [
  { id: 'nightcore-meridian', name: 'Nightcore Meridian', subdomain: undefined },
  { id: 'slowed-reverb-meridian', name: 'Slowed Reverb Meridian', subdomain: 'slowedreverb' },
] as const

/**
 * Tags one case of a test that is declared for several cases: `npm test` runs the cases that differ most, and `npm run test:long` the
 * others.
 */
export const tagLong = (isLong: boolean) => (isLong ? { tag: '@long' } : {})

/** Tags the second brand's case as `@long`, so that only `npm run test:long` runs it: it covers little that the first brand's case does not. */
export const tagSecondBrand = (brand: (typeof brands)[number]) => tagLong(brand !== brands[0])

/**
 * Matches errors of requests to a server that is stopped, including requests that it had begun to answer. While the server starts and
 * stops, it answers 503.
 */
export const stoppedServerErrors = /Failed to load resource: net::ERR_|status of 503/

/** Runs a test, and fails it if its pages have unexpected errors or request other hosts. */
async function checkPageErrors(context: BrowserContext, runTest: (faults: ExpectedFaults) => Promise<void>) {
  const pageErrors: string[] = []
  // On a site without playable songs, the API of the radio answers 404. The radio widget on the home page calls it.
  const expectedPatterns = [/status of 404.*\/api\/radio\/get/]
  const externalRequests: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) =>
    pageErrors.push(`uncaught: ${error.error().stack || `${error.error().name}: ${error.error().message}`} on ${error.page()?.url()}`),
  )
  context.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'net::ERR_NAME_NOT_RESOLVED') externalRequests.push(request.url())
  })
  await runTest({ expect: (pattern) => expectedPatterns.push(pattern) })
  expect(externalRequests, 'requests to other hosts').toEqual([])
  expect(
    pageErrors.filter((fault) => !expectedPatterns.some((pattern) => pattern.test(fault))),
    'console errors, uncaught errors and violations of the content security policy',
  ).toEqual([])
}

/** Returns a data folder with the catalogue of `catalogue.ts`. The catalogue is imported once for all workers. */
const prepareTestCatalogue = () =>
  prepareFolderOnce('test-catalogue', async (folderPath) => {
    const site = await startSite({ DEMO: 'off', DATA_DIR: folderPath })
    await importTestCatalogue(site)
    await site.stop()
  })

/** The limit for new accounts from one IP address is raised, because all tests share one address. */
const manySignUps = { RATE_LIMIT_SIGNUP: '1000' }

/** Starts the built server with the catalogue of `catalogue.ts`. At the end its data are deleted, unless `dataDir` is given. */
export const startTestCatalogueSite = async (dataDir?: string, env: Record<string, string> = {}): Promise<Site> =>
  startSite(
    { DEMO: 'off', ...manySignUps, ...(dataDir !== undefined && { DATA_DIR: dataDir }), ...env },
    { preparedDataDir: await prepareTestCatalogue() },
  )

/** The time limit for starting or stopping a site. A database server takes long on a busy machine. */
const SITE_START_STOP_MAX_MS = 300_000

/** Starts two servers. Their modules are loaded only for tests that need them. */
const startServerPair = async (env: Record<string, string>) => (await import('./deploy/paired-site.ts')).startPairedSite(env)

async function importTestCatalogue(site: Site): Promise<void> {
  const catalogueFile = join(site.dataDir, 'test-catalogue.json')
  await writeFile(catalogueFile, JSON.stringify(createTestCatalogue()))
  await site.runAdmin('catalog', 'import', catalogueFile)
  await expect.poll(async () => (await fetch(`${site.origin()}/api/playlist/get?p=${catalogueIds.emptyPlaylist}`)).status).toBe(200)
}

async function startTestCataloguePair(): Promise<Site> {
  const site = await startServerPair({ DEMO: 'off', ...manySignUps })
  await importTestCatalogue(site)
  return site
}

export const test = base.extend<
  { faults: ExpectedFaults; platform: VideoPlatform },
  { processes: 1 | 2; site: Site; testCatalogueSite: Site; identitySite: IdentityTestSite }
>({
  /** The number of server processes of `site` and `testCatalogueSite`. Two are behind nginx, on PostgreSQL. */
  processes: [1, { option: true, scope: 'worker' }],
  /** The built server with the demo catalogue. Each worker has its own. */
  site: [
    async ({ processes }, use) => {
      const site = await (processes === 1 ? startSite(manySignUps) : startServerPair(manySignUps))
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: SITE_START_STOP_MAX_MS },
  ],
  /**
   * The built server with the catalogue of `catalogue.ts`: hostile rows, accents, an empty and a very long playlist. Each worker has its
   * own.
   */
  testCatalogueSite: [
    async ({ processes }, use) => {
      const site = await (processes === 1 ? startTestCatalogueSite() : startTestCataloguePair())
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: SITE_START_STOP_MAX_MS },
  ],
  /** A site with the embedded identity service, which runs in the process of the test. Each worker has its own. */
  identitySite: [
    async ({ browserName: _ }, use) => {
      // The server's modules are loaded only for tests that need them.
      const { startEmbeddedIdentitySite } = await import('./identity/embedded-identity-site.ts')
      const identitySite = await startEmbeddedIdentitySite()
      await use(identitySite)
      await identitySite.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin()),
  faults: [async ({ context }, use) => checkPageErrors(context, use), { auto: true }],
  /** Only tests that play videos use this fixture, because routes make every request slower. */
  platform: async ({ context }, use) => use(await installVideoPlatform(context)),
})

export { expect }
