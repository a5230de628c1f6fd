/** Whether this browser can receive pushes for this page. */
export const isPushSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** Returns the browser's subscription; `undefined` without one, and without a service worker. */
export async function readPushSubscription(): Promise<PushSubscription | undefined> {
  const registration = isPushSupported() ? await navigator.serviceWorker.getRegistration() : undefined
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

/** Asks for the permission to show notifications, and subscribes with the site's key. Rejects if the person or the browser refuses. */
export async function subscribeToPushes(key: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.getRegistration()
  if (registration === undefined) throw new TypeError('There is no service worker.')
  // An existing subscription is ended first: if it has another key, the site cannot send pushes to it.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** Returns the data of a subscription that the site needs to send pushes to it. */
export function toPushTarget(subscription: PushSubscription): { endpoint: string; p256dh: string; auth: string } {
  const { keys = {} } = subscription.toJSON()
  return { endpoint: subscription.endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }
}

/** Ends the browser's subscription. The push service then refuses further pushes, and the site forgets the subscription. */
export const endPushSubscription = async (): Promise<void> => {
  await (await readPushSubscription())?.unsubscribe()
}
