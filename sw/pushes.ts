const NEW_SONGS_PATH = '/latest'
/** Notifications with the same tag replace each other. */
const NOTIFICATION_TAG = 'new-songs'
/** How long the worker waits for the answer of a page that is to open another address. Browsers let a pressed notification open a window for a second at least. */
export const PAGE_ANSWER_TIMEOUT_MS = 900

/** Returns the number of new songs in the payload of a push, which is JSON; `undefined` if the payload has no valid number. */
function readSongCount(payloadText: string | undefined): number | undefined {
  try {
    const songCount: unknown = Reflect.get(Object(JSON.parse(payloadText ?? '')), 'songs')
    return typeof songCount === 'number' && Number.isSafeInteger(songCount) && songCount > 0 ? songCount : undefined
  } catch {
    return undefined
  }
}

function formatNotification(songCount: number | undefined): string {
  // A push without a number is shown as well, because browsers require a notification for each push.
  if (songCount === undefined) return 'New songs of artists you follow'
  return songCount === 1 ? '1 new song of an artist you follow' : `${songCount} new songs of artists you follow`
}

/** The members of the worker's scope that show a push. Not every browser has badges. */
interface PushScope {
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification'>
  readonly navigator: { setAppBadge?(count: number): Promise<void> }
}

/** Shows a push as a notification, and its number of new songs as the badge of the installed app. */
export async function showPush({ registration, navigator }: PushScope, payloadText: string | undefined): Promise<void> {
  const songCount = readSongCount(payloadText)
  // A site that is not installed has no badge, and the call is rejected or without effect.
  if (songCount !== undefined) navigator.setAppBadge?.(songCount).catch(() => {})
  await registration.showNotification(formatNotification(songCount), { tag: NOTIFICATION_TAG, icon: '/apple-touch-icon.png' })
}

/**
 * Subscribes again with the same key when the browser has ended a subscription. The page sends the new subscription to the site at its next start, because the
 * worker has no identity token.
 */
export async function renewPushSubscription(
  { pushManager }: Pick<ServiceWorkerRegistration, 'pushManager'>,
  { oldSubscription, newSubscription }: { oldSubscription: PushSubscription | null; newSubscription: PushSubscription | null },
): Promise<void> {
  // Some browsers do not name the old subscription, or have subscribed again by themselves.
  if (oldSubscription && !newSubscription) await pushManager.subscribe(oldSubscription.options)
}

/** A window of the site, as the worker sees it (`WindowClient`). */
interface SiteWindow {
  readonly url: string
  readonly focused: boolean
  readonly frameType: string
  focus(): Promise<SiteWindow>
  navigate(url: string): Promise<unknown>
  postMessage(message: object, transferables: MessagePort[]): void
}

/** The windows of the site, as the worker sees them (`Clients`). */
interface SiteWindows {
  matchAll(options: { type: 'window' }): Promise<readonly SiteWindow[]>
  openWindow(url: string): Promise<unknown>
}

/**
 * Opens the page with the new songs: in an open window of the site if there is one. The page of that window opens it by its router, so that music and
 * exports continue; the worker loads the document only if the page does not answer.
 */
export async function openNewSongs(clients: SiteWindows, siteOrigin: string): Promise<void> {
  const newSongsUrl = siteOrigin + NEW_SONGS_PATH
  const openWindows = (await clients.matchAll({ type: 'window' })).filter(({ frameType }) => frameType !== 'nested')
  const bestWindow =
    openWindows.find(({ focused }) => focused) ?? openWindows.find(({ url }) => new URL(url).pathname === NEW_SONGS_PATH) ?? openWindows[0]
  if (bestWindow === undefined) {
    await clients.openWindow(newSongsUrl)
    return
  }
  const focusedWindow = await bestWindow.focus()
  if (!(await requestPage(focusedWindow, NEW_SONGS_PATH)))
    await focusedWindow.navigate(newSongsUrl).catch(() => clients.openWindow(newSongsUrl))
}

/** Asks the page of a window to open a path. Resolves to false if the page does not answer in time. */
async function requestPage(siteWindow: SiteWindow, path: string): Promise<boolean> {
  const { port1: answerPort, port2: pagePort } = new MessageChannel()
  const isAnswered = await new Promise<boolean>((resolve) => {
    answerPort.onmessage = () => resolve(true)
    setTimeout(() => resolve(false), PAGE_ANSWER_TIMEOUT_MS)
    siteWindow.postMessage({ type: 'OPEN_PAGE', path }, [pagePort])
  })
  answerPort.close()
  return isAnswered
}
