import { useMemo } from 'react'
import { useServices } from '../../hooks/services.tsx'
import {
  endPushSubscription,
  isPushSupported,
  readPushSubscription,
  resumePushes,
  subscribeToPushes,
  toPushTarget,
} from '../../platform/web-push.ts'

/** Returns the functions that turn notifications of new songs on and off in this browser, for the signed-in account. */
export function usePushes() {
  const { api, accountApi } = useServices()
  return useMemo(() => {
    const turnOff = async () => {
      const endpoint = (await readPushSubscription())?.endpoint
      await endPushSubscription()
      if (endpoint !== undefined) await api.call('POST /follow/end_push', { endpoint }).catch(() => {})
    }
    return {
      isSupported: isPushSupported(),
      /** Returns the site's key for pushes; empty if the site sends none. */
      readKey: async (signal: AbortSignal) => (await api.call('GET /follow/push_key', {}, { signal })).key,
      /** Whether notifications are on: the browser has a subscription with the site's key. */
      readIsOn: (publicKey: string) => resumePushes(accountApi, () => publicKey),
      async turnOn(publicKey: string) {
        // The browser may have a subscription with an earlier key of the site.
        await turnOff()
        const pushSubscription = await subscribeToPushes(publicKey)
        try {
          await accountApi.call('POST /follow/push', toPushTarget(pushSubscription))
        } catch (error) {
          await endPushSubscription()
          throw error
        }
      },
      turnOff,
    }
  }, [api, accountApi])
}
