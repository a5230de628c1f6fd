import { createECDH, randomBytes } from 'node:crypto'
import type { CDPSession, Locator, Page } from '@playwright/test'
import { createVapidPrivateKey, readVapidKey } from '../server/push/web-push.ts'
import { catalogueIds } from './catalogue.ts'
import { expect, startTestCatalogueSite, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { waitForServiceWorker, withBrowserProfile } from './profile.ts'
import type { Site } from './server.ts'
import { fetchApi, mainRegion, pageHeading } from './steps.ts'

interface StandInSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
  serverKey: string
}

/** Runs in the page: takes the place of the browser's push service. It has one subscription, which reloads keep, and refuses other keys than the site's. */
function installPushService({ serverKey, ...subscription }: StandInSubscription) {
  const STORAGE_KEY = 'test.subscribed'
  const keyText = atob(serverKey.replaceAll('-', '+').replaceAll('_', '/'))
  const toSubscription = () => ({
    ...subscription,
    options: { applicationServerKey: Uint8Array.from(keyText, (character) => character.charCodeAt(0)).buffer },
    toJSON: () => subscription,
    unsubscribe: async () => localStorage.removeItem(STORAGE_KEY),
  })
  Object.defineProperties(PushManager.prototype, {
    getSubscription: { value: async () => (localStorage.getItem(STORAGE_KEY) === null ? null : toSubscription()) },
    subscribe: {
      async value({ applicationServerKey, userVisibleOnly }: PushSubscriptionOptionsInit) {
        if (applicationServerKey !== serverKey || !userVisibleOnly) throw new DOMException('refused', 'AbortError')
        localStorage.setItem(STORAGE_KEY, '')
        return toSubscription()
      },
    },
  })
}

/** Returns the function that lets the browser deliver a push to the service worker of the site. */
async function createPushDelivery(devtools: CDPSession, siteOrigin: string) {
  const registrationIdPromise = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registrationIdPromise
  return (data: string) => devtools.send('ServiceWorker.deliverPushMessage', { origin: siteOrigin, registrationId, data })
}

/** Waits until the page handles the worker's requests to open a page, as it does once it is idle. */
const waitForRequestedPages = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const { port1: workerPort, port2: pagePort } = new MessageChannel()
        const data = { type: 'OPEN_PAGE', path: location.pathname }
        return new Promise<boolean>((resolve) => {
          workerPort.onmessage = () => resolve(true)
          setTimeout(() => resolve(false), 500)
          navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data, ports: [pagePort] }))
        })
      }),
    )
    .toBe(true)

/** Runs `runJourney` with a site that sends notifications, in Chromium itself, because its headless shell shows no notifications. */
async function withPushingSite(runJourney: (page: Page, site: Site, privateKey: string) => Promise<void>): Promise<void> {
  const privateKey = createVapidPrivateKey()
  const site = await startTestCatalogueSite(undefined, { VAPID_PRIVATE_KEY: privateKey })
  try {
    await withBrowserProfile(async (open) => runJourney((await open()).page, site, privateKey), { needsChromium: true })
  } finally {
    await site.stop()
  }
}

/** Signs in with a new account that follows an artist, and opens Latest. Returns the button that turns notifications on. */
async function openLatest(page: Page, site: Site): Promise<Locator> {
  const origin = site.origin()
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: catalogueIds.accentPlaylist })
  const credentials = createCredentials()
  await signUpByRequest(origin, credentials)
  await signInByRequest(page, origin, credentials)
  await openHydratedPage(page, `${origin}/search?${new URLSearchParams({ q: songs[0]?.author_name ?? '', type: 'artist' })}`)
  await waitForServiceWorker(page)
  await mainRegion(page).getByRole('button', { name: 'Follow', exact: true }).click()
  await openHydratedPage(page, `${origin}/latest`)
  return page.getByRole('button', { name: 'Notify me' })
}

test(
  'push: an account turns notifications on, and off, which ends the subscription; a push is one notification, whose click opens Latest',
  { tag: '@long' },
  () =>
    withPushingSite(async (page, site, privateKey) => {
      const context = page.context()
      const origin = site.origin()
      const browserKeys = createECDH('prime256v1')
      await context.grantPermissions(['notifications'], { origin })
      await context.addInitScript(installPushService, {
        endpoint: 'https://fcm.googleapis.com/fcm/send/browser',
        keys: { p256dh: browserKeys.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
        serverKey: readVapidKey(privateKey).publicKey,
      })
      const pushButton = await openLatest(page, site)

      await test.step('the subscription is sent to the site, and the button stays pressed after a reload', async () => {
        const pushResponsePromise = page.waitForResponse((response) => response.url().endsWith('/api/follow/push'))
        await pushButton.click()
        expect((await pushResponsePromise).status()).toBe(200)
        await expect(pushButton).toHaveAttribute('aria-pressed', 'true')
        await page.reload()
        await expect(pushButton).toHaveAttribute('aria-pressed', 'true')
      })

      await test.step('two pushes are one notification, whose click opens Latest in the open window without loading a document', async () => {
        const deliverPush = await createPushDelivery(await context.newCDPSession(page), origin)
        const readNotificationTitles = () =>
          page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title }) => title))
        await deliverPush(JSON.stringify({ songs: 1 }))
        await expect.poll(readNotificationTitles).toEqual(['1 new song of an artist you follow'])
        await deliverPush(JSON.stringify({ songs: 3 }))
        await expect.poll(readNotificationTitles).toEqual(['3 new songs of artists you follow'])
        await openHydratedPage(page, `${origin}/faq`)
        await waitForRequestedPages(page)
        const documentRequests: string[] = []
        page.on('request', (request) => {
          if (request.isNavigationRequest()) documentRequests.push(request.url())
        })
        // Only the click of a person lets a worker focus a window.
        await context.serviceWorkers()[0]?.evaluate(`registration.getNotifications().then(([notification]) => {
        WindowClient.prototype.focus = async function () { return this }
        dispatchEvent(new NotificationEvent('notificationclick', { notification }))
      })`)
        await expect(pageHeading(page)).toHaveText('Latest')
        expect(await readNotificationTitles()).toEqual([])
        expect(documentRequests).toEqual([])
      })

      await test.step('the page sends the subscription to the site at each start, also if it is not on Latest', async () => {
        const pushRequestPromise = page.waitForRequest((request) => request.url().endsWith('/api/follow/push'))
        await page.goto(`${origin}/faq`)
        expect((await pushRequestPromise).postDataJSON()).toMatchObject({ endpoint: 'https://fcm.googleapis.com/fcm/send/browser' })
        await page.goto(`${origin}/latest`)
      })

      await test.step('after notifications are turned off, the site forgets the subscription', async () => {
        const endRequestPromise = page.waitForRequest((request) => request.url().endsWith('/api/follow/end_push'))
        await pushButton.click()
        expect((await endRequestPromise).postDataJSON()).toEqual({ endpoint: 'https://fcm.googleapis.com/fcm/send/browser' })
        await expect(pushButton).toHaveAttribute('aria-pressed', 'false')
        await page.reload()
        await expect(pushButton).toHaveAttribute('aria-pressed', 'false')
      })
    }),
)

test('push: if the browser refuses notifications, the person is told, and nothing is sent', { tag: '@long' }, () =>
  withPushingSite(async (page, site) => {
    await page.addInitScript(() =>
      Object.defineProperties(PushManager.prototype, {
        getSubscription: { value: async () => null },
        subscribe: { value: () => Promise.reject(new DOMException('', 'NotAllowedError')) },
      }),
    )
    const pushButton = await openLatest(page, site)
    const requestUrls: string[] = []
    page.on('request', (request) => requestUrls.push(request.url()))
    await pushButton.click()
    await expect(page.getByText("Notifications couldn't be turned on. Your browser may block them.")).toBeVisible()
    await expect(pushButton).toHaveAttribute('aria-pressed', 'false')
    expect(requestUrls.filter((url) => url.endsWith('/api/follow/push'))).toEqual([])
  }),
)
