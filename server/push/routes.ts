import { ApiError } from '../../contract/errors.ts'
import { requireUser } from '../http/user.ts'
import type { RouteContext } from '../route-context.ts'
import type { VapidKey } from './web-push.ts'

/** The hosts of the push services of browsers: Chromium's, Firefox's, Edge's and Safari's. Pushes are sent to no other host. */
const PUSH_SERVICES = [
  ...['fcm.googleapis.com', 'android.googleapis.com', 'jmt17.google.com', 'push.services.mozilla.com'],
  ...['notify.windows.com', 'push.apple.com'],
]

function isPushService(endpointUrl: string): boolean {
  if (!URL.canParse(endpointUrl)) return false
  const { protocol, hostname, port, username } = new URL(endpointUrl)
  return (
    protocol === 'https:' &&
    port === '' &&
    username === '' &&
    PUSH_SERVICES.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  )
}

/** `vapidKey` is `undefined` if the site sends no pushes. */
export function registerPushRoutes({ endpoint: registerEndpoint, storage, nowMs }: RouteContext, vapidKey: VapidKey | undefined): void {
  registerEndpoint('GET /follow/push_key', {}, async () => ({ key: vapidKey?.publicKey ?? '' }))

  registerEndpoint('POST /follow/push', {}, async ({ endpoint, p256dh, auth }, request) => {
    const { uid } = requireUser(request)
    if (vapidKey === undefined) throw new ApiError('not-found', 'This site sends no notifications.')
    if (!isPushService(endpoint)) throw new ApiError('bad-input', 'The site cannot send notifications to this browser.')
    await storage.pushes.subscribe(uid, { endpoint, p256dh, auth }, nowMs())
    return null
  })

  registerEndpoint('POST /follow/end_push', {}, async ({ endpoint }) => {
    await storage.pushes.unsubscribe(endpoint)
    return null
  })
}
