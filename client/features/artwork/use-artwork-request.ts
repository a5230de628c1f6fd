import { useState } from 'react'
import { type AccountAction, useAccountAction } from '../../hooks/account-data.ts'

export interface ArtworkRequest {
  youtube_url: string
  message: string
  discord: string
}

/** Returns the action that asks the team for artwork. A request that is sent again because its answer was lost is the same request. */
export function useArtworkRequest(): AccountAction<[ArtworkRequest]> {
  const [sent] = useState({ id: crypto.randomUUID(), texts: '' })
  return useAccountAction(async (api, request) => {
    const texts = JSON.stringify(request)
    if (sent.texts !== texts) Object.assign(sent, { id: crypto.randomUUID(), texts })
    await api.call('POST /contact/request', { topic: 'artwork-request', ...request, change_id: sent.id })
    sent.texts = ''
  })
}
