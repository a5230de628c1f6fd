import { useCallback } from 'react'
import { useServices, useSite } from './services.tsx'

export type { DiscordOutcome } from '../../contract/account.ts'

interface DiscordLink {
  /** Whether this site has set it up. */
  possible: boolean
  /** Goes to Discord, which sends the browser back to the page of the account. Rejects with an `ApiFailure`. */
  begin(): Promise<void>
  /** Rejects with an `ApiFailure`. */
  end(): Promise<void>
}

export function useDiscordLink(uid: string): DiscordLink {
  const { accountApi, accounts } = useServices()
  const { discord_link = false } = useSite()
  const begin = useCallback(async () => {
    const { authorize_url } = await accountApi.call('POST /account/discord_link', { return_url: '/account' })
    location.assign(authorize_url)
  }, [accountApi])
  const end = useCallback(async () => {
    await accountApi.call('GET /account/disconnect_discord', {})
    await accounts.info(uid).refresh({ force: true })
  }, [accountApi, accounts, uid])
  return { possible: discord_link, begin, end }
}
