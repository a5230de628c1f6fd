import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { nightcoreMeridian } from '../../../brands/nightcore-meridian/brand.ts'
import { type Services, ServicesProvider } from '../../bindings/services.tsx'
import { createInstall, DECLINED_FOR_MS } from '../../platform/install.ts'
import '../../ui/global.css'
import { InstallKey } from './install-key.tsx'

const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const IPHONE_CHROME =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1'
const IPAD = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'
/** How a page sees itself inside another app, which has no share menu for it. */
const IN_AN_APP =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 380.0'

let root: Root | undefined
let host: HTMLElement | undefined

interface Browser {
  userAgent?: string
  touchPoints?: number
  standalone?: boolean
  /** As an installed app shows itself. */
  window?: boolean
}

function show({ userAgent = DESKTOP, touchPoints = 0, standalone, window: ownWindow = false }: Browser = {}) {
  const events = new EventTarget()
  // What `createInstall` asks of a browser.
  const browser = {
    addEventListener: events.addEventListener.bind(events),
    matchMedia: () => ({ matches: ownWindow }),
    navigator: { userAgent, maxTouchPoints: touchPoints, ...(standalone !== undefined && { standalone }) },
  } as unknown as Window
  const services = { install: createInstall(browser), site: { settings: { NAME: nightcoreMeridian.settings.NAME } } } as unknown as Services
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  flushSync(() =>
    root?.render(
      <ServicesProvider services={services}>
        <InstallKey />
      </ServicesProvider>,
    ),
  )
  return {
    /** The browser would install the site. */
    offer(outcome: 'accepted' | 'dismissed' | 'error' = 'accepted') {
      const prompt = vi.fn(async () => {
        if (outcome === 'error') throw new DOMException('Not now', 'NotAllowedError')
        return { outcome }
      })
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
      flushSync(() => events.dispatchEvent(event))
      return prompt
    },
    tell: (type: string) => flushSync(() => events.dispatchEvent(new Event(type))),
  }
}

function leave() {
  root?.unmount()
  host?.remove()
}
afterEach(() => {
  leave()
  vi.useRealTimers()
  localStorage.clear()
})

const key = () => page.getByRole('button', { name: 'Install app' })
const gone = () => expect.element(key()).not.toBeInTheDocument()

it('stands there only while the browser would install the site, and asks it by keyboard, too', async () => {
  const { offer, tell } = show()
  await gone()
  const prompt = offer()
  await expect.element(key()).toBeVisible()
  await userEvent.tab()
  await expect.element(key()).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(prompt).toHaveBeenCalledTimes(1)
  await gone()
  tell('appinstalled')
  offer()
  await gone()
})

it('remembers a no for a month', async () => {
  const { offer } = show()
  offer('dismissed')
  await key().click()
  await gone()
  leave()

  show().offer()
  await gone()
  leave()

  localStorage.setItem('install-declined', String(Date.now() - DECLINED_FOR_MS - 1))
  show().offer()
  await expect.element(key()).toBeVisible()
})

it('takes a browser that fails to ask for neither yes nor no', async () => {
  const { offer } = show()
  offer('error')
  await key().click()
  await gone()
  offer()
  await expect.element(key()).toBeVisible()
})

it.each([
  ['an installed app', { window: true }],
  ['an installed app on an iPhone', { userAgent: IPHONE, touchPoints: 5, standalone: true }],
  ['a window inside another app', { userAgent: IN_AN_APP, touchPoints: 5 }],
  ['a Mac', { userAgent: IPAD }],
] as [string, Browser][])('is not there in %s', async (_name, browser) => {
  const { offer } = show(browser)
  await gone()
  if (browser.window) offer()
  await gone()
})

it('explains the steps above the list that it stands in', async () => {
  show({ userAgent: IPAD, touchPoints: 5 })
  host?.setAttribute('popover', 'auto')
  host?.showPopover()
  await key().click()
  await expect.element(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(key()).toHaveFocus()
})

it.each([
  ['an iPhone', { userAgent: IPHONE, touchPoints: 5 }, "in the browser's bar"],
  ['another browser on an iPhone', { userAgent: IPHONE_CHROME, touchPoints: 5 }, "in the browser's bar"],
  ['an iPad', { userAgent: IPAD, touchPoints: 5 }, 'beside the address'],
] as [string, Browser, string][])('explains the steps on %s, and gives the focus back', async (_name, browser, place) => {
  show(browser)
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  const dialog = page.getByRole('dialog', { name: `Install ${nightcoreMeridian.settings.NAME}` })
  await expect.element(dialog).toBeVisible()
  const steps = dialog.getByRole('listitem')
  await expect.element(steps.nth(0)).toHaveTextContent(`Press Share ${place}.`)
  await expect.element(steps.nth(1)).toHaveTextContent('Choose Add to Home Screen.')
  await expect.element(steps.nth(2)).toHaveTextContent('Press Add.')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(key()).toHaveFocus()
})
