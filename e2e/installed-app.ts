import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './chromium.ts'
import { untilControlled } from './profile.ts'
import { installVideoPlatform } from './stand-ins/video-platform.ts'

/** A browser with a profile that lasts: only there does Chromium tell what keeps a site from being installed, and install it. */
export interface Installer {
  context: BrowserContext
  /** A tab with the site, its service worker at work. */
  tab: Page
  devtools: CDPSession
  /** Installs the site, closes the tab, and gives the app's own window. */
  install(): Promise<Page>
  /** Presses one of the app's shortcuts. */
  launch(url: string): Promise<void>
}

interface Options {
  /** With a window that is seen, on the display that `env` names. */
  headed?: { display: string; size: { width: number; height: number } }
}

export async function withInstaller<T>(origin: string, work: (installer: Installer) => Promise<T>, { headed }: Options = {}): Promise<T> {
  const profile = await mkdtemp(join(tmpdir(), 'varispeed-install-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath,
    headless: headed === undefined,
    args: [...chromiumFlags, ...(headed ? [`--window-size=${headed.size.width},${headed.size.height}`, '--window-position=0,0'] : [])],
    viewport: null,
    locale: 'en-US',
    serviceWorkers: 'allow',
    // An installed app gets an entry in the desktop's menu: of this profile's own home.
    env: {
      ...(process.env as Record<string, string>),
      HOME: profile,
      XDG_DATA_HOME: join(profile, 'data'),
      XDG_CONFIG_HOME: join(profile, 'config'),
      ...(headed && { DISPLAY: headed.display }),
    },
  })
  try {
    await installVideoPlatform(context)
    const tab = await context.newPage()
    await tab.goto(origin)
    await untilControlled(tab)
    const devtools = await context.newCDPSession(tab)
    const browser = await context.browser()?.newBrowserCDPSession()
    if (browser === undefined) throw new Error('This context has no browser of its own')
    const manifestId = `${origin}/`
    return await work({
      context,
      tab,
      devtools,
      async install() {
        await browser.send('PWA.install', { manifestId, installUrlOrBundleUrl: manifestId })
        await browser.send('PWA.changeAppUserSettings', { manifestId, displayMode: 'standalone' })
        await tab.close()
        const opened = context.waitForEvent('page')
        await browser.send('PWA.launch', { manifestId })
        return opened
      },
      launch: async (url) => {
        await browser.send('PWA.launch', { manifestId, url })
      },
    })
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
}
