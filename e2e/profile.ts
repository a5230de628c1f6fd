import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath, headlessShellPath } from './chromium.ts'
import { waitForHydration } from './steps.ts'

export interface BrowserWithPage {
  context: BrowserContext
  page: Page
}

/** Starts or restarts the browser. `whileClosed` runs before the start, with the folder of the profile. */
type OpenProfile = (whileClosed?: (profileFolder: string) => Promise<void>) => Promise<BrowserWithPage>

interface ProfileOptions {
  /** Uncaught errors that match this pattern do not fail the test. */
  expectedErrors?: RegExp
  /** Chromium's preferences, in the format of the file `Preferences` in its profile. */
  preferences?: object
  /**
   * Whether to run Chromium itself instead of its headless shell. The default is true if `preferences` is given, because the shell reads no
   * preferences.
   */
  needsChromium?: boolean
}

/** Runs a test with a browser that allows service workers. Its profile is stored on disk, and persists across restarts of the browser. */
export async function withBrowserProfile(
  runJourney: (open: OpenProfile) => Promise<void>,
  { expectedErrors: expectedPatterns, preferences, needsChromium = preferences !== undefined }: ProfileOptions = {},
): Promise<void> {
  const profileFolder = await mkdtemp(join(tmpdir(), 'varispeed-profile-'))
  let context: BrowserContext | undefined
  const uncaughtErrors: string[] = []
  if (preferences) {
    await mkdir(join(profileFolder, 'Default'))
    await writeFile(join(profileFolder, 'Default/Preferences'), JSON.stringify(preferences))
  }
  try {
    await runJourney(async (workWhileClosed) => {
      await context?.close()
      await workWhileClosed?.(profileFolder)
      context = await chromium.launchPersistentContext(profileFolder, {
        executablePath: needsChromium ? chromiumPath : headlessShellPath,
        args: chromiumFlags,
        viewport: { width: 1280, height: 800 },
        locale: 'en-US',
        serviceWorkers: 'allow',
      })
      context.on('weberror', (error) => uncaughtErrors.push(`${error.error()} ${error.error().stack}`))
      return { context, page: context.pages()[0] ?? (await context.newPage()) }
    })
    expect(
      uncaughtErrors.filter((error) => !expectedPatterns?.test(error)),
      'uncaught errors',
    ).toEqual([])
  } finally {
    await context?.close()
    await rm(profileFolder, { recursive: true, force: true })
  }
}

/** Kills the browser process, so that it writes nothing more. */
export async function killBrowser(context: BrowserContext): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession()
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
  const browser = processInfo.find(({ type }) => type === 'browser')
  if (browser === undefined) throw new Error('The browser has no process.')
  const closed = context.waitForEvent('close')
  process.kill(browser.id, 'SIGKILL')
  await closed
}

/** Waits until the service worker is active and controls the page. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

/** Waits until the rows and pictures of the page are stored on the device. */
export async function waitForStoredPage(page: Page): Promise<void> {
  await waitForHydration(page)
  await page.waitForLoadState('networkidle')
}

/** Waits until the service worker has cached the document of the page. */
export async function waitForCachedDocument(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(async () => (await caches.match(location.href)) !== undefined)).toBe(true)
}
