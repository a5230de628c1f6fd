import { useMemo } from 'react'
import { useServices } from '../../hooks/services.tsx'
import { endPushSubscription, isPushSupported, readPushSubscription, subscribeToPushes, toPushTarget } from '../../platform/web-push.ts'

/** Returns the functions that turn notifications of new songs on and off in this browser, for the signed-in account. */
export function usePushes() {
  const { api, accountApi } = useServices()
  return useMemo(
    () => ({
      isSupported: isPushSupported(),
      /** Returns the site's key for pushes; empty if the site sends none. */
      readKey: async (signal: AbortSignal) => (await api.call('GET /follow/push_key', {}, { signal })).key,
      /** Whether notifications are on. If so, the subscription is sent to the server again, because the server may have lost it. */
      async readIsOn() {
        const pushSubscription = await readPushSubscription()
        if (!pushSubscription) return false
        accountApi.call('POST /follow/push', toPushTarget(pushSubscription)).catch(() => {})
        return true
      },
      async turnOn(publicKey: string) {
        const pushSubscription = await subscribeToPushes(publicKey)
        try {
          await accountApi.call('POST /follow/push', toPushTarget(pushSubscription))
        } catch (error) {
          await endPushSubscription()
          throw error
        }
      },
      async turnOff() {
        const endpoint = (await readPushSubscription())?.endpoint
        await endPushSubscription()
        if (endpoint !== undefined) await api.call('POST /follow/end_push', { endpoint }).catch(() => {})
      },
    }),
    [api, accountApi],
  )
}
