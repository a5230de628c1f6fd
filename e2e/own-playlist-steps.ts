import { randomUUID } from 'node:crypto'
import { placeEntries } from '../client/data/entry-positions.ts'
import type { EndpointData } from '../contract/endpoints.ts'
import type { OwnPlaylistChange } from '../contract/own-playlist.ts'
import { ENTRIES_PER_CALL_MAX, ENTRIES_PER_CHANGE_MAX, OWN_PLAYLIST_CHANGES_MAX } from '../contract/own-playlist-rules.ts'
import { fetchIdToken } from './favorites-steps.ts'
import { createCredentials, signUpByRequest } from './identity/steps.ts'
import type { Site } from './server.ts'

type ListCall = 'POST /list/sync' | 'POST /list/share'

async function callApi<Key extends ListCall>(
  siteOrigin: string,
  idToken: string,
  endpointKey: Key,
  requestBody: object,
): Promise<EndpointData<Key>> {
  const response = await fetch(`${siteOrigin}/api${endpointKey.slice('POST '.length)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(requestBody),
  })
  if (!response.ok) throw new Error(await response.text())
  const { data }: { data: EndpointData<Key> } = await response.json()
  return data
}

async function syncPlaylists(siteOrigin: string, idToken: string, requestBody: { since?: string; changes?: readonly OwnPlaylistChange[] }) {
  const result = await callApi(siteOrigin, idToken, 'POST /list/sync', requestBody)
  if (result.refused.length > 0) throw new Error(JSON.stringify(result.refused))
  return result
}

/** Makes an own playlist public or private, and lets search engines index it if `isIndexed`. Returns its token, empty for a private one. */
export const shareOwnPlaylist = async (
  origin: string,
  idToken: string,
  id: string,
  isShared: boolean,
  isIndexed?: boolean,
): Promise<string> =>
  (await callApi(origin, idToken, 'POST /list/share', { l: id, share: isShared, ...(isIndexed !== undefined && { indexed: isIndexed }) }))
    .token

/** Makes own playlists of an account by requests. Returns their ids. */
export async function createOwnPlaylists(
  siteOrigin: string,
  idToken: string,
  playlists: readonly { title: string; songIds: readonly string[] }[],
): Promise<string[]> {
  const deviceId = randomUUID()
  const playlistIds = playlists.map(() => randomUUID())
  const playlistChanges = playlists.flatMap(({ title, songIds }, index) => {
    const entryIds = songIds.map(() => randomUUID())
    const entryChanges = placeEntries([], 0, entryIds).map(({ e, position }, at) => ({ e, position, s: songIds[at] ?? '' }))
    const partCount = Math.max(1, Math.ceil(entryChanges.length / ENTRIES_PER_CHANGE_MAX))
    return Array.from({ length: partCount }, (_, partIndex) => ({
      ...{ id: randomUUID(), at: new Date().toISOString(), device: deviceId, l: playlistIds[index] ?? '' },
      ...(partIndex === 0 && { title }),
      entries: entryChanges.slice(partIndex * ENTRIES_PER_CHANGE_MAX, (partIndex + 1) * ENTRIES_PER_CHANGE_MAX),
    }))
  })
  while (playlistChanges.length > 0) {
    let entryCount = 0
    const firstExcessIndex = playlistChanges.findIndex(({ entries }) => {
      entryCount += entries.length
      return entryCount > ENTRIES_PER_CALL_MAX
    })
    await syncPlaylists(siteOrigin, idToken, {
      changes: playlistChanges.splice(
        0,
        Math.min(OWN_PLAYLIST_CHANGES_MAX, firstExcessIndex < 0 ? playlistChanges.length : firstExcessIndex),
      ),
    })
  }
  return playlistIds
}

/** Makes a shared playlist of an account of its own that search engines may index. Returns the path of its page. */
export async function createSharedListPath(site: Site, songIds: readonly string[]): Promise<string> {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const idToken = await fetchIdToken(site, credentials)
  const [playlistId = ''] = await createOwnPlaylists(site.origin(), idToken, [{ title: 'Night drive', songIds }])
  return `/list?l=${await shareOwnPlaylist(site.origin(), idToken, playlistId, true, true)}`
}

/** Reads the title of an own playlist and its songs in their order from the server. */
export async function readOwnPlaylist(
  siteOrigin: string,
  idToken: string,
  playlistId: string,
): Promise<{ title: string; songIds: string[] }> {
  const { playlists, entries } = await syncPlaylists(siteOrigin, idToken, {})
  const ordered = entries.filter(({ l }) => l === playlistId).toSorted((a, b) => (`${a.position} ${a.e}` < `${b.position} ${b.e}` ? -1 : 1))
  return { title: playlists.find(({ l }) => l === playlistId)?.title ?? '', songIds: ordered.map(({ s }) => s) }
}
