import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core'
import { startVideoProxy } from '../stand-ins/video-proxy.ts'
import { type AutomatedPage, type ElementTarget, ROLE_SELECTORS, WAIT_LIMIT_MS } from './automated-page.ts'
import { retryAction, waitForDownload } from './downloads.ts'

const FIREFOX_PATH = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

/** Matches the hosts that Firefox requests for its own services. */
const MOZILLA_HOSTS = /(^|\.)(mozilla\.(com|net|org)|firefox\.com)$/

export const hasFirefox = (): boolean => existsSync(FIREFOX_PATH)

/** Opens Firefox by WebDriver BiDi, with a separate home folder. @param isPrivate whether all its windows are private ones */
export async function openFirefox({ isPrivate = false } = {}): Promise<AutomatedPage> {
  const homeFolder = await mkdtemp(join(tmpdir(), 'varispeed-firefox-'))
  const videoProxy = await startVideoProxy()
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX_PATH,
    headless: true,
    acceptInsecureCerts: true,
    defaultViewport: { width: 1280, height: 800 },
    protocolTimeout: 2 * WAIT_LIMIT_MS,
    env: { ...process.env, HOME: homeFolder },
    extraPrefsFirefox: {
      'network.proxy.type': 1,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': videoProxy.port,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': videoProxy.port,
      'browser.download.folderList': 2,
      'browser.download.dir': homeFolder,
      'browser.download.always_ask_before_handling_new_types': false,
      'media.autoplay.default': 0,
      'browser.privatebrowsing.autostart': isPrivate,
    },
  })
  const page = (await browser.pages())[0] ?? (await browser.newPage())
  page.setDefaultTimeout(WAIT_LIMIT_MS)
  const errorTexts: string[] = []
  page.on('console', async (consoleMessage) => {
    if (consoleMessage.type() !== 'error') return
    // After a navigation, values of the previous page can no longer be read. Errors that a page logs while the browser leaves it are
    // ignored (docs/browsers.md).
    const texts = await Promise.all(consoleMessage.args().map((value) => value.evaluate(String))).catch(() => undefined)
    if (texts !== undefined)
      errorTexts.push(`console: ${texts.join(' ')} at ${consoleMessage.location().url}:${consoleMessage.location().lineNumber}`)
  })
  page.on('pageerror', (error) => errorTexts.push(`uncaught: ${error}`))
  return {
    ...createAutomatedPage(page, homeFolder),
    async readErrors() {
      const otherHosts = videoProxy.refusedHosts.filter((host) => !MOZILLA_HOSTS.test(host))
      return [...errorTexts, ...otherHosts.map((host) => `a request to ${host}`)]
    },
    async close() {
      await browser.close()
      await videoProxy.stop()
      await rm(homeFolder, { recursive: true, force: true })
    },
  }
}

function createAutomatedPage(page: Page, downloadFolder: string): Omit<AutomatedPage, 'readErrors' | 'close'> {
  // Firefox takes minutes to search the accessibility tree of a long page, so the test itself compares labels and texts with the name.
  const findElementOnce = async ({ role, name }: ElementTarget) => {
    const elementHandle = await page.evaluateHandle(
      (selector, wantedText) =>
        [...document.querySelectorAll(selector)].find(
          (element) =>
            (element.getAttribute('aria-label') ?? element.textContent ?? '').trim() === wantedText &&
            element.checkVisibility({ visibilityProperty: true }),
        ),
      ROLE_SELECTORS[role],
      name,
    )
    const element = elementHandle.asElement()
    if (element === null) throw new Error('The page has none')
    return element as ElementHandle<HTMLElement>
  }
  /** Repeats a press until it succeeds, because rendering may replace the element. */
  const pressElement = (target: ElementTarget) =>
    retryAction(`a press of the ${target.role} '${target.name}'`, async () => {
      const element = await findElementOnce(target)
      // Firefox would scroll an element to the edge of the window, where the player's dock covers it.
      await element.evaluate((each) => each.scrollIntoView({ block: 'center', behavior: 'instant' }))
      await element.click()
    })
  const findField = async (fieldLabel: string) => {
    const field = await page.waitForFunction(
      (name) =>
        document.querySelector(`input[aria-label="${name}"]`) ??
        [...document.querySelectorAll('label')].find((each) => each.textContent?.trim() === name)?.control,
      {},
      fieldLabel,
    )
    return field as ElementHandle<HTMLInputElement>
  }
  return {
    open: async (url) => void (await page.goto(url)),
    waitFor: async (target) => void (await retryAction(`a ${target.role} named '${target.name}'`, () => findElementOnce(target))),
    press: pressElement,
    type: async (label, text) => (await findField(label)).type(text),
    chooseFile: async (label, path) => (await findField(label)).uploadFile(path),
    waitForText: (wantedText) =>
      retryAction(`the text '${wantedText}'`, async () => {
        if (!(await page.evaluate(`document.body.innerText.includes(${JSON.stringify(wantedText)})`)))
          throw new Error('The page has another text')
      }),
    download: (target) => waitForDownload(downloadFolder, () => pressElement(target)),
    evaluate: (run) => page.evaluate(run),
    setSize: (width, height) => page.setViewport({ width, height }),
    screenshot: async () => Buffer.from(await page.screenshot()),
  }
}
