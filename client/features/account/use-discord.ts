import { useCallback } from 'react'
import { useServices, useSite } from '../../hooks/services.tsx'

export type { DiscordOutcome } from '../../../contract/account.ts'

interface DiscordLink {
  /** Whether linking is configured on the server. */
  isAvailable: boolean
  /** Navigates to Discord, which redirects back to the account page. Rejects with an `ApiCallError`. */
  link(): Promise<void>
  /** Removes the link. Rejects with an `ApiCallError`. */
  unlink(): Promise<void>
}

export function useDiscordLink(uid: string): DiscordLink {
  const { accountApi, accounts } = useServices()
  const { discord_link = false } = useSite()
  const link = useCallback(async () => {
    const { authorize_url } = await accountApi.call('POST /account/discord_link', { return_url: '/account' })
    location.assign(authorize_url)
  }, [accountApi])
  const unlinkDiscord = useCallback(async () => {
    await accountApi.call('POST /account/disconnect_discord', {})
    await accounts.info(uid).refresh({ force: true })
  }, [accountApi, accounts, uid])
  return { isAvailable: discord_link, link, unlink: unlinkDiscord }
}
