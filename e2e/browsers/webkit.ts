import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMinimalEnvironment, findFreePort } from '../server.ts'
import { startVideoProxy } from '../stand-ins/video-proxy.ts'
import { type AutomatedPage, type ElementTarget, ROLE_SELECTORS } from './automated-page.ts'
import { hasVirtualDisplay, startVirtualDisplay, stopProcess } from './desktop.ts'
import { retryAction, waitForDownload } from './downloads.ts'
import { type ElementReference, startSession, type WebDriverSession } from './webdriver-session.ts'

const DRIVER_PATH = '/usr/bin/WebKitWebDriver'

/** Returns the path of WebKitGTK's MiniBrowser, which Debian installs beside the library. */
const findMiniBrowserPath = (): string | undefined =>
  readdirSync('/usr/lib')
    .flatMap((folder) => ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((library) => join('/usr/lib', folder, library, 'MiniBrowser')))
    .find((path) => existsSync(path))

export const hasWebKit = (): boolean => existsSync(DRIVER_PATH) && hasVirtualDisplay() && findMiniBrowserPath() !== undefined

/** Opens a window of WebKitGTK's MiniBrowser on a virtual display, with a separate home folder. */
export async function openWebKit(): Promise<AutomatedPage> {
  const homeFolder = await mkdtemp(join(tmpdir(), 'varispeed-webkit-'))
  const videoProxy = await startVideoProxy()
  const virtualDisplay = await startVirtualDisplay()
  const { driver, session } = await retryAction('a session of WebKit', () =>
    startDriver({ HOME: homeFolder, XDG_RUNTIME_DIR: homeFolder, DISPLAY: virtualDisplay.name, LANG: 'C.UTF-8' }, videoProxy.port),
  )
  const page = createAutomatedPage(session, homeFolder)
  await page.setSize(1280, 800)
  const errorTexts: string[] = []
  /** Moves the errors that the current document has collected to `errorTexts`. */
  const takeErrors = async () => errorTexts.push(...((await session.run(TAKE_ERRORS_SCRIPT)) as string[]))
  return {
    ...page,
    async open(url) {
      await takeErrors()
      await page.open(url)
      await session.run(COLLECT_ERRORS_SCRIPT)
    },
    async readErrors() {
      await takeErrors()
      return [...errorTexts, ...videoProxy.refusedHosts.map((host) => `a request to ${host}`)]
    },
    async close() {
      await session.end()
      await stopProcess(driver)
      await stopProcess(virtualDisplay.process)
      await videoProxy.stop()
      await rm(homeFolder, { recursive: true, force: true })
    },
  }
}

/** Starts the driver and a browser. Sometimes the browser does not connect to the driver, and the driver then ends. */
async function startDriver(
  webkitSettings: Record<string, string>,
  proxyPort: number,
): Promise<{ driver: ChildProcess; session: WebDriverSession }> {
  const port = await findFreePort()
  const driverProcess = spawn(DRIVER_PATH, [`--port=${port}`], { env: createMinimalEnvironment(webkitSettings), stdio: 'ignore' })
  try {
    const driverUrl = `http://127.0.0.1:${port}`
    await retryAction('the driver', () => fetch(`${driverUrl}/status`))
    const session = await startSession(driverUrl, {
      acceptInsecureCerts: true,
      'webkitgtk:browserOptions': {
        binary: findMiniBrowserPath(),
        // A full-screen window has no controls, which would enforce a minimum width.
        args: [
          '--automation',
          '--full-screen',
          `--proxy=http://127.0.0.1:${proxyPort}`,
          '--ignore-host=localhost',
          '--ignore-host=*.localhost',
        ],
      },
    })
    return { driver: driverProcess, session }
  } catch (error) {
    await stopProcess(driverProcess)
    throw error
  }
}

function createAutomatedPage(session: WebDriverSession, downloadFolder: string): Omit<AutomatedPage, 'readErrors' | 'close'> {
  const waitForElement = (target: ElementTarget) =>
    retryAction(`a ${target.role} named '${target.name}'`, () => findElement(session, target))
  /** Repeats a press until it succeeds, because rendering may replace or cover the element. */
  const pressElement = (target: ElementTarget) =>
    retryAction(`a press of the ${target.role} '${target.name}'`, async () => {
      const element = await findElement(session, target)
      await session.sendTo(element, 'POST', '/click', {})
    })
  const typeInto = (fieldLabel: string, typedText: string) =>
    retryAction(`the field '${fieldLabel}'`, async () => {
      const field = await session.run(FIND_FIELD_SCRIPT, fieldLabel)
      if (field === null) throw new Error('The page has no such field')
      await session.sendTo(field as ElementReference, 'POST', '/value', { text: typedText })
    })
  return {
    open: async (url) => void (await session.send('POST', '/url', { url })),
    waitFor: async (target) => void (await waitForElement(target)),
    press: pressElement,
    type: typeInto,
    chooseFile: typeInto,
    waitForText: (wantedText) =>
      retryAction(`the text '${wantedText}'`, async () => {
        if ((await session.run('(text) => document.body.innerText.includes(text)', wantedText)) !== true)
          throw new Error('The page has another text')
      }),
    download: (target) => waitForDownload(downloadFolder, () => pressElement(target)),
    evaluate: async <Result>(run: () => Promise<Result>) => (await session.run(run.toString())) as Result,
    setSize: async (width, height) => void (await session.send('POST', '/window/rect', { width, height })),
    screenshot: async () => Buffer.from(String(await session.send('GET', '/screenshot')), 'base64'),
  }
}

/** Collects errors from the time when the document has loaded. The driver does not report console messages. */
const COLLECT_ERRORS_SCRIPT = `() => {
  const errors = []
  Object.assign(globalThis, { collectedErrors: errors })
  addEventListener('error', ({ message }) => errors.push('uncaught: ' + message))
  addEventListener('unhandledrejection', ({ reason }) => errors.push('unhandled: ' + reason))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => errors.push(violatedDirective + ' blocks ' + blockedURI))
  const { error } = console
  console.error = (...args) => {
    errors.push('console: ' + args.join(' '))
    error.apply(console, args)
  }
}`

const TAKE_ERRORS_SCRIPT = `() => globalThis.collectedErrors?.splice(0) ?? []`

const FIND_FIELD_SCRIPT = `(label) =>
  document.querySelector('input[aria-label="' + label + '"]') ??
  [...document.querySelectorAll('label')].find((each) => each.textContent.trim() === label)?.control ?? null`

/** Returns the visible elements that can have a role and a name. Then the driver determines the role and the name of each. */
const CANDIDATES_SCRIPT = `(selector, name) => [...document.querySelectorAll(selector)].filter((element) => {
  const texts = [element.getAttribute('aria-label'), element.textContent, ...[...(element.labels ?? [])].map((label) => label.textContent)]
  return element.checkVisibility({ visibilityProperty: true }) && texts.some((text) => text?.includes(name))
})`

/** @throws if no visible element has the role and the name */
async function findElement(session: WebDriverSession, { role, name }: ElementTarget): Promise<ElementReference> {
  const candidateElements = (await session.run(CANDIDATES_SCRIPT, ROLE_SELECTORS[role], name)) as readonly ElementReference[]
  const foundDescriptions: string[] = []
  for (const candidateElement of candidateElements) {
    // The driver itself would scroll an element to the edge of the window, where the player's dock covers it. Rows that are not rendered have no
    // accessible name.
    await session.run(`(element) => element.scrollIntoView({ block: 'center', behavior: 'instant' })`, candidateElement)
    const computedName = await session.sendTo(candidateElement, 'GET', '/computedlabel')
    const computedRole = await session.sendTo(candidateElement, 'GET', '/computedrole')
    if (computedName === name && computedRole === role) return candidateElement
    foundDescriptions.push(`${computedRole} '${computedName}'`)
  }
  throw new Error(`The page has ${foundDescriptions.join(', ') || 'nothing alike'}`)
}
