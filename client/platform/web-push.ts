/** Whether this browser can receive pushes for this page. */
export const isPushSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** Returns the browser's subscription; `undefined` without one, and without a service worker. */
export async function readPushSubscription(): Promise<PushSubscription | undefined> {
  const registration = isPushSupported() ? await navigator.serviceWorker.getRegistration() : undefined
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

/** Asks for the permission to show notifications, and subscribes with the site's key. Rejects if the person or the browser refuses. */
export async function subscribeToPushes(publicKey: string): Promise<PushSubscription> {
  const workerRegistration = await navigator.serviceWorker.getRegistration()
  if (workerRegistration === undefined) throw new TypeError('There is no service worker.')
  // An existing subscription is ended first: if it has another key, the site cannot send pushes to it.
  await (await workerRegistration.pushManager.getSubscription())?.unsubscribe()
  return workerRegistration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
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
