import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, test as base, expect } from '@playwright/test'
import { ids, ownCatalogue } from './catalogue.ts'
import { type Site, startSite } from './server.ts'
import { installVideoPlatform, type VideoPlatform } from './stand-ins/video-platform.ts'

/** What went wrong in the pages of a test. All of it fails the test, unless the test says that it expects it. */
export interface Faults {
  /** Console errors and uncaught errors that match are part of this test. */
  expect(pattern: RegExp): void
}

export const brands = [
  { id: 'nightcore-meridian', name: 'Nightcore Meridian', subdomain: undefined },
  { id: 'slowed-reverb-meridian', name: 'Slowed Reverb Meridian', subdomain: 'slowedreverb' },
] as const

/** What a test of each brand says of itself: the second one's tells little more, and is left to the long run. */
export const secondIsLong = (brand: (typeof brands)[number]) => (brand === brands[0] ? {} : { tag: '@long' })

async function watch(context: BrowserContext, run: (faults: Faults) => Promise<void>) {
  const found: string[] = []
  const expected: RegExp[] = []
  const outside: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') found.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) =>
    found.push(`uncaught: ${error.error().stack || `${error.error().name}: ${error.error().message}`} on ${error.page()?.url()}`),
  )
  await context.route(
    (url) => url.hostname !== 'localhost' && !url.hostname.endsWith('.localhost') && url.hostname !== '127.0.0.1',
    async (route) => {
      outside.push(route.request().url())
      await route.abort()
    },
  )
  await run({ expect: (pattern) => expected.push(pattern) })
  expect(outside, 'requests that left for other hosts').toEqual([])
  expect(
    found.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
    'console errors, uncaught errors and violations of the content security policy',
  ).toEqual([])
}

/** The built server with the catalogue of `catalogue.ts`; in a `dataDir` that is given, its data outlive it. */
export async function startOwnSite(dataDir?: string): Promise<Site> {
  const site = await startSite({ DEMO: 'off', ...(dataDir !== undefined && { DATA_DIR: dataDir }) })
  const file = join(site.dataDir, 'own-catalogue.json')
  await writeFile(file, JSON.stringify(ownCatalogue()))
  await site.admin('catalog', 'import', file)
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${site.port}/api/playlist/get?p=${ids.emptyPlaylist}`)).status).toBe(200)
  return site
}

export const test = base.extend<{ faults: Faults; platform: VideoPlatform }, { site: Site; ownSite: Site }>({
  /** The built server with the demo catalogue, one for a worker. */
  site: [
    async ({ browserName: _ }, use) => {
      const site = await startSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  /** The built server with the catalogue of `catalogue.ts`: hostile rows, accents, an empty and a very long playlist. */
  ownSite: [
    async ({ browserName: _ }, use) => {
      const site = await startOwnSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin()),
  faults: [async ({ context }, use) => watch(context, use), { auto: true }],
  // After `faults`, so that its routes win over the one that refuses all other hosts.
  platform: [
    async ({ context, faults }, use) => {
      void faults
      await use(await installVideoPlatform(context))
    },
    { auto: true },
  ],
})

export { expect }
