import { pageScope } from '../primitives/scope.ts'
import type { AccountApi } from './api.ts'

/** Whether this browser can receive pushes for this page. */
export const isPushSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** Returns the browser's subscription; `undefined` without one, and without a service worker. */
export async function readPushSubscription(): Promise<PushSubscription | undefined> {
  const registration = isPushSupported() ? await navigator.serviceWorker.getRegistration() : undefined
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

/**
 * Asks for the permission to show notifications, and subscribes with the site's key. Rejects if the person or the browser refuses, or if the browser has
 * a subscription with another key.
 */
export async function subscribeToPushes(publicKey: string): Promise<PushSubscription> {
  const workerRegistration = await navigator.serviceWorker.getRegistration()
  if (workerRegistration === undefined) throw new TypeError('There is no service worker.')
  return workerRegistration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/** Returns the data of a subscription that the site needs to send pushes to it. */
export function toPushTarget(subscription: PushSubscription): { endpoint: string; p256dh: string; auth: string } {
  const { keys = {} } = subscription.toJSON()
  return { endpoint: subscription.endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }
}

/** Whether a subscription was made with a key of the site, in base64url. The push service refuses pushes that the site sends with another key. */
function isMadeWithKey({ options: { applicationServerKey } }: PushSubscription, publicKey: string): boolean {
  const keyText = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey ?? [])))
  return publicKey === keyText.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Returns whether the browser has a subscription with the site's key. If so, it is sent to the site for the signed-in account again, because the browser may
 * have replaced it and the site may have lost it. `readKey` returns the site's key.
 */
export async function resumePushes(accountApi: AccountApi, readKey: () => string | Promise<string>): Promise<boolean> {
  const subscription = await readPushSubscription()
  if (!subscription || !isMadeWithKey(subscription, await readKey())) return false
  accountApi.call('POST /follow/push', toPushTarget(subscription)).catch(() => {})
  return true
}

/** Calls `handlePush` whenever the service worker has received a push. */
export function onPush(handlePush: () => void): void {
  if (!isPushSupported()) return
  pageScope.listen(navigator.serviceWorker, 'message', (event) => {
    if (event instanceof MessageEvent && event.data?.type === 'PUSHED') handlePush()
  })
}

/** Ends the browser's subscription. The push service then refuses further pushes, and the site forgets the subscription. */
export const endPushSubscription = async (): Promise<void> => {
  await (await readPushSubscription())?.unsubscribe()
}
