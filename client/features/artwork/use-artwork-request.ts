import { useState } from 'react'
import { type AccountAction, useAccountAction } from '../../hooks/account-data.ts'

export interface ArtworkRequest {
  youtube_url: string
  message: string
  discord: string
}

/** Returns the action that sends an artwork request. A retry with the same texts has the same id, so that the server stores the request once. */
export function useArtworkRequest(): AccountAction<[ArtworkRequest]> {
  const [sent] = useState({ id: crypto.randomUUID(), texts: '' })
  return useAccountAction(async (api, request) => {
    const texts = JSON.stringify(request)
    if (sent.texts !== texts) Object.assign(sent, { id: crypto.randomUUID(), texts })
    await api.call('POST /contact/request', { topic: 'artwork-request', ...request, change_id: sent.id })
    sent.texts = ''
  })
}
