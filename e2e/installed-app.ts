import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './chromium.ts'
import { waitForServiceWorker } from './profile.ts'

/**
 * A browser with a persistent profile. Chromium requires such a profile to install an app, and to report why a site cannot be installed.
 */
export interface AppInstaller {
  context: BrowserContext
  /** A tab that shows the site and has an active service worker. */
  tab: Page
  devtools: CDPSession
  /** Installs the site, and closes the tab. Returns the window of the app. */
  install(): Promise<Page>
  /** Launches a shortcut of the app. */
  launch(url: string): Promise<void>
}

interface InstallerOptions {
  /** Opens a visible browser window of the given size on an X11 display; by default the browser is headless. */
  visibleWindow?: { displayName: string; size: { width: number; height: number } }
}

/** Calls a function with a browser that has opened `origin` and can install the site. */
export async function withAppInstaller<T>(
  origin: string,
  runJourney: (installer: AppInstaller) => Promise<T>,
  { visibleWindow: hasVisibleWindow }: InstallerOptions = {},
): Promise<T> {
  const profileFolder = await mkdtemp(join(tmpdir(), 'varispeed-install-'))
  const context = await chromium.launchPersistentContext(profileFolder, {
    executablePath: chromiumPath,
    headless: hasVisibleWindow === undefined,
    args: [
      ...chromiumFlags,
      ...(hasVisibleWindow
        ? [`--window-size=${hasVisibleWindow.size.width},${hasVisibleWindow.size.height}`, '--window-position=0,0']
        : []),
    ],
    viewport: null,
    locale: 'en-US',
    serviceWorkers: 'allow',
    // The profile's folder is also the home folder, because an installed app adds an entry to the desktop's menu.
    env: {
      ...(process.env as Record<string, string>),
      HOME: profileFolder,
      XDG_DATA_HOME: join(profileFolder, 'data'),
      XDG_CONFIG_HOME: join(profileFolder, 'config'),
      ...(hasVisibleWindow && { DISPLAY: hasVisibleWindow.displayName }),
    },
  })
  try {
    const appTab = await context.newPage()
    await appTab.goto(origin)
    await waitForServiceWorker(appTab)
    const devtools = await context.newCDPSession(appTab)
    const browser = await context.browser()?.newBrowserCDPSession()
    if (browser === undefined) throw new Error('The context has no browser')
    const manifestId = `${origin}/`
    return await runJourney({
      context,
      tab: appTab,
      devtools,
      async install() {
        await browser.send('PWA.install', { manifestId, installUrlOrBundleUrl: manifestId })
        await browser.send('PWA.changeAppUserSettings', { manifestId, displayMode: 'standalone' })
        await appTab.close()
        const openedPage = context.waitForEvent('page')
        await browser.send('PWA.launch', { manifestId })
        return openedPage
      },
      launch: async (url) => {
        await browser.send('PWA.launch', { manifestId, url })
      },
    })
  } finally {
    await context.close()
    await rm(profileFolder, { recursive: true, force: true })
  }
}
