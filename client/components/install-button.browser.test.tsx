import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { nightcoreMeridian } from '../../brands/nightcore-meridian/brand.ts'
import { type Services, ServicesProvider } from '../hooks/services.tsx'
import { createAppInstaller, INSTALL_BUTTON_HIDDEN_MS } from '../platform/install.ts'
import '../ui/global.css'
import { InstallButton } from './install-button.tsx'

const DESKTOP_USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const IPHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const IPHONE_CHROME_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1'
const IPAD_USER_AGENT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'
/** The user agent of a page in another app's web view. A web view has no share menu from which a site can be installed. */
const WEB_VIEW_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 380.0'

let root: Root | undefined
let hostElement: HTMLElement | undefined

interface Browser {
  userAgent?: string
  touchPoints?: number
  standalone?: boolean
  /** Whether the simulated page runs in the window of the installed app. */
  isAppWindow?: boolean
}

function renderButton({ userAgent = DESKTOP_USER_AGENT, touchPoints = 0, standalone, isAppWindow: ownWindow = false }: Browser = {}) {
  const browserEvents = new EventTarget()
  // The browser properties that `createAppInstaller` reads.
  const browser = {
    addEventListener: browserEvents.addEventListener.bind(browserEvents),
    matchMedia: () => ({ matches: ownWindow }),
    navigator: { userAgent, maxTouchPoints: touchPoints, ...(standalone !== undefined && { standalone }) },
  } as unknown as Window
  const services = {
    install: createAppInstaller(browser),
    site: { settings: { NAME: nightcoreMeridian.settings.NAME } },
  } as unknown as Services
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
  flushSync(() =>
    root?.render(
      <ServicesProvider services={services}>
        <InstallButton />
      </ServicesProvider>,
    ),
  )
  return {
    /** Fires the `beforeinstallprompt` event, with which the browser offers to install the site. */
    offer(outcome: 'accepted' | 'dismissed' | 'error' = 'accepted') {
      const prompt = vi.fn(async () => {
        if (outcome === 'error') throw new DOMException('Not now', 'NotAllowedError')
        return { outcome }
      })
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
      flushSync(() => browserEvents.dispatchEvent(event))
      return prompt
    },
    fireEvent: (type: string) => flushSync(() => browserEvents.dispatchEvent(new Event(type))),
  }
}

function restoreBrowser() {
  root?.unmount()
  hostElement?.remove()
}
afterEach(() => {
  restoreBrowser()
  vi.useRealTimers()
  localStorage.clear()
})

const locateInstallButton = () => page.getByRole('button', { name: 'Install app' })
const expectNoButton = () => expect.element(locateInstallButton()).not.toBeInTheDocument()

it('the install button is shown only while the browser can install the app, and opens the prompt by pointer and by keyboard', async () => {
  const { offer, fireEvent } = renderButton()
  await expectNoButton()
  const prompt = offer()
  await expect.element(locateInstallButton()).toBeVisible()
  await userEvent.tab()
  await expect.element(locateInstallButton()).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(prompt).toHaveBeenCalledTimes(1)
  await expectNoButton()
  fireEvent('appinstalled')
  offer()
  await expectNoButton()
})

it('the install button stays hidden for a month after a dismissal', async () => {
  const { offer } = renderButton()
  offer('dismissed')
  await locateInstallButton().click()
  await expectNoButton()
  restoreBrowser()

  renderButton().offer()
  await expectNoButton()
  restoreBrowser()

  localStorage.setItem('install-declined', String(Date.now() - INSTALL_BUTTON_HIDDEN_MS - 1))
  renderButton().offer()
  await expect.element(locateInstallButton()).toBeVisible()
})

it('the install button treats a failed prompt as neither accepted nor dismissed', async () => {
  const { offer } = renderButton()
  offer('error')
  await locateInstallButton().click()
  await expectNoButton()
  offer()
  await expect.element(locateInstallButton()).toBeVisible()
})

it.each([
  ['an installed app', { isAppWindow: true }],
  ['an installed app on an iPhone', { userAgent: IPHONE_USER_AGENT, touchPoints: 5, standalone: true }],
  ['a window inside another app', { userAgent: WEB_VIEW_USER_AGENT, touchPoints: 5 }],
  ['a Mac', { userAgent: IPAD_USER_AGENT }],
] as [string, Browser][])('the install button is not rendered in %s', async (_name, browser) => {
  const { offer } = renderButton(browser)
  await expectNoButton()
  if (browser.isAppWindow) offer()
  await expectNoButton()
})

it('the install button shows the steps in a dialog above the open menu', async () => {
  renderButton({ userAgent: IPAD_USER_AGENT, touchPoints: 5 })
  hostElement?.setAttribute('popover', 'auto')
  hostElement?.showPopover()
  await locateInstallButton().click()
  await expect.element(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(locateInstallButton()).toHaveFocus()
})

it.each([
  ['an iPhone', { userAgent: IPHONE_USER_AGENT, touchPoints: 5 }, "in the browser's bar"],
  ['another browser on an iPhone', { userAgent: IPHONE_CHROME_USER_AGENT, touchPoints: 5 }, "in the browser's bar"],
  ['an iPad', { userAgent: IPAD_USER_AGENT, touchPoints: 5 }, 'beside the address'],
] as [string, Browser, string][])(
  'the install button shows the installation steps on %s, and gets the focus back when the dialog closes',
  async (_name, browser, menuPlace) => {
    renderButton(browser)
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    const dialog = page.getByRole('dialog', { name: `Install ${nightcoreMeridian.settings.NAME}` })
    await expect.element(dialog).toBeVisible()
    const stepItems = dialog.getByRole('listitem')
    await expect.element(stepItems.nth(0)).toHaveTextContent(`Press Share ${menuPlace}.`)
    await expect.element(stepItems.nth(1)).toHaveTextContent('Choose Add to Home Screen.')
    await expect.element(stepItems.nth(2)).toHaveTextContent('Press Add.')
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(locateInstallButton()).toHaveFocus()
  },
)
