import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMinimalEnvironment, findFreePort } from '../server.ts'
import { startVideoProxy } from '../stand-ins/video-proxy.ts'
import { type AutomatedPage, type ElementTarget, ROLE_SELECTORS } from './automated-page.ts'
import { hasVirtualDisplay, startVirtualDisplay, stopProcess } from './desktop.ts'
import { retry, waitForDownload } from './downloads.ts'
import { type ElementReference, startSession, type WebDriverSession } from './webdriver-session.ts'

const DRIVER_PATH = '/usr/bin/WebKitWebDriver'

/** Returns the path of WebKitGTK's MiniBrowser, which Debian installs beside the library. */
const miniBrowserPath = (): string | undefined =>
  readdirSync('/usr/lib')
    .flatMap((folder) => ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((library) => join('/usr/lib', folder, library, 'MiniBrowser')))
    .find((path) => existsSync(path))

export const hasWebKit = (): boolean => existsSync(DRIVER_PATH) && hasVirtualDisplay() && miniBrowserPath() !== undefined

/** Opens a window of WebKitGTK's MiniBrowser on a virtual display, with a separate home folder. */
export async function openWebKit(): Promise<AutomatedPage> {
  const home = await mkdtemp(join(tmpdir(), 'varispeed-webkit-'))
  const proxy = await startVideoProxy()
  const display = await startVirtualDisplay()
  const { driver, session } = await retry('a session of WebKit', () =>
    startDriver({ HOME: home, XDG_RUNTIME_DIR: home, DISPLAY: display.name, LANG: 'C.UTF-8' }, proxy.port),
  )
  const page = pageOf(session, home)
  await page.setSize(1280, 800)
  const errors: string[] = []
  /** Moves the errors that the current document has collected to `errors`. */
  const takeErrors = async () => errors.push(...((await session.run(TAKE_ERRORS_SCRIPT)) as string[]))
  return {
    ...page,
    async open(url) {
      await takeErrors()
      await page.open(url)
      await session.run(COLLECT_ERRORS_SCRIPT)
    },
    async readErrors() {
      await takeErrors()
      return [...errors, ...proxy.refusedHosts.map((host) => `a request to ${host}`)]
    },
    async close() {
      await session.end()
      await stopProcess(driver)
      await stopProcess(display.process)
      await proxy.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Starts the driver and a browser. Sometimes the browser does not connect to the driver, and the driver then ends. */
async function startDriver(
  settings: Record<string, string>,
  proxyPort: number,
): Promise<{ driver: ChildProcess; session: WebDriverSession }> {
  const port = await findFreePort()
  const driver = spawn(DRIVER_PATH, [`--port=${port}`], { env: createMinimalEnvironment(settings), stdio: 'ignore' })
  try {
    const driverUrl = `http://127.0.0.1:${port}`
    await retry('the driver', () => fetch(`${driverUrl}/status`))
    const session = await startSession(driverUrl, {
      acceptInsecureCerts: true,
      'webkitgtk:browserOptions': {
        binary: miniBrowserPath(),
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
    return { driver, session }
  } catch (error) {
    await stopProcess(driver)
    throw error
  }
}

function pageOf(session: WebDriverSession, downloadFolder: string): Omit<AutomatedPage, 'readErrors' | 'close'> {
  const find = (target: ElementTarget) => retry(`a ${target.role} named '${target.name}'`, () => findElement(session, target))
  /** Repeats a press until it succeeds, because rendering may replace or cover the element. */
  const press = (target: ElementTarget) =>
    retry(`a press of the ${target.role} '${target.name}'`, async () => {
      const element = await findElement(session, target)
      await session.sendTo(element, 'POST', '/click', {})
    })
  const typeInto = (label: string, text: string) =>
    retry(`the field '${label}'`, async () => {
      const field = await session.run(FIELD_SCRIPT, label)
      if (field === null) throw new Error('The page has no such field')
      await session.sendTo(field as ElementReference, 'POST', '/value', { text })
    })
  return {
    open: async (url) => void (await session.send('POST', '/url', { url })),
    waitFor: async (target) => void (await find(target)),
    press,
    type: typeInto,
    chooseFile: typeInto,
    waitForText: (text) =>
      retry(`the text '${text}'`, async () => {
        if ((await session.run('(text) => document.body.innerText.includes(text)', text)) !== true)
          throw new Error('The page has another text')
      }),
    download: (target) => waitForDownload(downloadFolder, () => press(target)),
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

const FIELD_SCRIPT = `(label) =>
  document.querySelector('input[aria-label="' + label + '"]') ??
  [...document.querySelectorAll('label')].find((each) => each.textContent.trim() === label)?.control ?? null`

/** Returns the visible elements that can have a role and a name. Then the driver determines the role and the name of each. */
const CANDIDATES_SCRIPT = `(selector, name) => [...document.querySelectorAll(selector)].filter((element) => {
  const texts = [element.getAttribute('aria-label'), element.textContent, ...[...(element.labels ?? [])].map((label) => label.textContent)]
  return element.checkVisibility({ visibilityProperty: true }) && texts.some((text) => text?.includes(name))
})`

/** @throws if no visible element has the role and the name */
async function findElement(session: WebDriverSession, { role, name }: ElementTarget): Promise<ElementReference> {
  const candidates = (await session.run(CANDIDATES_SCRIPT, ROLE_SELECTORS[role], name)) as readonly ElementReference[]
  const foundDescriptions: string[] = []
  for (const candidate of candidates) {
    // The driver itself would scroll an element to the edge of the window, where the dock covers it. Rows that are not rendered have no
    // accessible name.
    await session.run(`(element) => element.scrollIntoView({ block: 'center', behavior: 'instant' })`, candidate)
    const computedName = await session.sendTo(candidate, 'GET', '/computedlabel')
    const computedRole = await session.sendTo(candidate, 'GET', '/computedrole')
    if (computedName === name && computedRole === role) return candidate
    foundDescriptions.push(`${computedRole} '${computedName}'`)
  }
  throw new Error(`The page has ${foundDescriptions.join(', ') || 'nothing alike'}`)
}
