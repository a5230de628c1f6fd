import { randomUUID } from 'node:crypto'
import { FAVORITE_CHANGES_MAX } from '../contract/favorite-limits.ts'
import { type Credentials, callIdentityService } from '../e2e/identity/steps.ts'

/** Creates an account with the songs `songIds` as favorites, the last one newest. Resolves with its identity token. */
export async function createFavoritesAccount(origin: string, credentials: Credentials, songIds: readonly string[]): Promise<string> {
  const { text } = await callIdentityService(origin, 'signUp', { ...credentials, returnSecureToken: true })
  const { idToken }: { idToken: string } = JSON.parse(text)
  const deviceId = randomUUID()
  const firstChangeAtMs = Date.now() - songIds.length * 1000
  for (let startIndex = 0; startIndex < songIds.length; startIndex += FAVORITE_CHANGES_MAX) {
    const changes = songIds.slice(startIndex, startIndex + FAVORITE_CHANGES_MAX).map((songId, songIndex) => ({
      ...{ id: randomUUID(), s: songId, favorite: true, device: deviceId },
      at: new Date(firstChangeAtMs + (startIndex + songIndex) * 1000).toISOString(),
    }))
    const response = await fetch(`${origin}/api/favorite/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ changes }),
    })
    if (!response.ok) throw new Error(await response.text())
  }
  return idToken
}
