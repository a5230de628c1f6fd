import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { installVideoPlatform } from '../e2e/stand-ins/video-platform.ts'

/** A browser's profile on disk, which outlives the browser: what a person's own browser keeps. */
export async function withProfile<T>(work: (open: () => Promise<BrowserContext>) => Promise<T>): Promise<T> {
  const profile = await mkdtemp(join(tmpdir(), 'varispeed-profile-'))
  let context: BrowserContext | undefined
  try {
    return await work(async () => {
      await context?.close()
      context = await chromium.launchPersistentContext(profile, {
        executablePath: chromiumPath,
        args: chromiumFlags,
        viewport: { width: 1280, height: 800 },
      })
      await installVideoPlatform(context)
      return context
    })
  } finally {
    await context?.close()
    await rm(profile, { recursive: true, force: true })
  }
}

/** Until the service worker has all that it wants and answers for this page's site. */
export async function untilControlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

/** From the navigation's start to the frame in which `selector` is there, as the page's own clock saw it, in ms. */
export async function timeTo(page: Page, url: string, selector: string): Promise<number> {
  // As text: what the tool that runs this adds to functions is not known in the page.
  await page.addInitScript({
    content: `requestAnimationFrame(function look() {
      if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look)
      else window.shownMs = performance.now()
    })`,
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => Reflect.has(window, 'shownMs'))
  const shownMs: unknown = await page.evaluate(() => Reflect.get(window, 'shownMs'))
  return typeof shownMs === 'number' ? shownMs : Number.NaN
}
