import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumFlags, headlessShellPath } from '../chromium.ts'
import { installVideoPlatform } from '../stand-ins/video-platform.ts'
import { type AutomatedPage, type ElementTarget, WAIT_LIMIT_MS } from './automated-page.ts'

const contextOptions = { viewport: { width: 1280, height: 800 }, locale: 'en-US', serviceWorkers: 'allow' } as const

export const openChromium = (): Promise<AutomatedPage> =>
  openProfile((folder) =>
    chromium.launchPersistentContext(folder, { ...contextOptions, executablePath: headlessShellPath, args: chromiumFlags }),
  )

async function openProfile(launchBrowser: (folder: string) => Promise<BrowserContext>): Promise<AutomatedPage> {
  const profileFolder = await mkdtemp(join(tmpdir(), 'varispeed-browser-'))
  const context = await launchBrowser(profileFolder)
  await installVideoPlatform(context)
  const page = context.pages()[0] ?? (await context.newPage())
  page.setDefaultTimeout(WAIT_LIMIT_MS)
  const errorTexts: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errorTexts.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => errorTexts.push(`uncaught: ${error.error().stack ?? error.error().message}`))
  return {
    ...createAutomatedPage(page),
    readErrors: async () => errorTexts,
    async close() {
      await context.close()
      await rm(profileFolder, { recursive: true, force: true })
    },
  }
}

function createAutomatedPage(page: Page): Omit<AutomatedPage, 'readErrors' | 'close'> {
  const locateElement = ({ role, name }: ElementTarget) => page.getByRole(role, { name, exact: true }).locator('visible=true').first()
  return {
    open: async (url) => void (await page.goto(url)),
    waitFor: (target) => locateElement(target).waitFor(),
    press: (target) => locateElement(target).click(),
    type: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    chooseFile: (label, path) => page.getByRole('main').getByLabel(label).first().setInputFiles(path),
    waitForText: (text) => page.getByText(text).locator('visible=true').first().waitFor(),
    async download(downloadLink) {
      const [download] = await Promise.all([page.waitForEvent('download'), locateElement(downloadLink).click()])
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
    },
    evaluate: (run) => page.evaluate(run),
    setSize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: () => page.screenshot(),
  }
}
