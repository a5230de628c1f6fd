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

async function openProfile(launch: (folder: string) => Promise<BrowserContext>): Promise<AutomatedPage> {
  const folder = await mkdtemp(join(tmpdir(), 'varispeed-browser-'))
  const context = await launch(folder)
  await installVideoPlatform(context)
  const page = context.pages()[0] ?? (await context.newPage())
  page.setDefaultTimeout(WAIT_LIMIT_MS)
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => errors.push(`uncaught: ${error.error().stack ?? error.error().message}`))
  return {
    ...pageOf(page),
    readErrors: async () => errors,
    async close() {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function pageOf(page: Page): Omit<AutomatedPage, 'readErrors' | 'close'> {
  const locate = ({ role, name }: ElementTarget) => page.getByRole(role, { name, exact: true }).locator('visible=true').first()
  return {
    open: async (url) => void (await page.goto(url)),
    waitFor: (target) => locate(target).waitFor(),
    press: (target) => locate(target).click(),
    type: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    chooseFile: (label, path) => page.getByRole('main').getByLabel(label).first().setInputFiles(path),
    waitForText: (text) => page.getByText(text).locator('visible=true').first().waitFor(),
    async download(target) {
      const [download] = await Promise.all([page.waitForEvent('download'), locate(target).click()])
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
    },
    evaluate: (run) => page.evaluate(run),
    setSize: (width, height) => page.setViewportSize({ width, height }),
    screenshot: () => page.screenshot(),
  }
}
