import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './chromium.ts'
import { installVideoPlatform, type VideoPlatform } from './stand-ins/video-platform.ts'
import { untilAlive } from './steps.ts'

export interface OpenBrowser {
  context: BrowserContext
  page: Page
  platform: VideoPlatform
}

/** Starts the browser, or ends it and starts it anew; `between` gets the folder of its profile while it is closed. */
type OpenProfile = (between?: (profile: string) => Promise<void>) => Promise<OpenBrowser>

interface ProfileOptions {
  /** Uncaught errors that are part of the test. */
  expected?: RegExp
  /** Of the browser itself, as its settings page writes them. */
  preferences?: object
}

/** A browser with service workers, and a profile on disk that outlives it. */
export async function withProfile(
  work: (open: OpenProfile) => Promise<void>,
  { expected, preferences }: ProfileOptions = {},
): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'varispeed-profile-'))
  let context: BrowserContext | undefined
  const uncaught: string[] = []
  if (preferences) {
    await mkdir(join(profile, 'Default'))
    await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(preferences))
  }
  try {
    await work(async (between) => {
      await context?.close()
      await between?.(profile)
      context = await chromium.launchPersistentContext(profile, {
        executablePath: chromiumPath,
        args: chromiumFlags,
        viewport: { width: 1280, height: 800 },
        locale: 'en-US',
        serviceWorkers: 'allow',
      })
      context.on('weberror', (error) => uncaught.push(`${error.error()} ${error.error().stack}`))
      const platform = await installVideoPlatform(context)
      return { context, page: context.pages()[0] ?? (await context.newPage()), platform }
    })
    expect(
      uncaught.filter((error) => !expected?.test(error)),
      'uncaught errors',
    ).toEqual([])
  } finally {
    await context?.close()
    await rm(profile, { recursive: true, force: true })
  }
}

/** Until the service worker has installed all that it wants, and answers for this page. */
export async function untilControlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

/** Until what the page shows is on the device: rows are written right behind what is shown, pictures when they have come. */
export async function untilKept(page: Page): Promise<void> {
  await untilAlive(page)
  await page.waitForLoadState('networkidle')
}
