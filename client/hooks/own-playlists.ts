import { useEffect, useMemo } from 'react'
import type { Playlist } from '../../contract/playlist.ts'
import { OWN_PLAYLIST_CONTEXT_PREFIX } from '../../contract/playlist-rules.ts'
import { ANONYMOUS_UID } from '../data/local-database.ts'
import { toSitePlaylist } from '../data/own-playlist-card.ts'
import type { OwnPlaylistContent, OwnPlaylistSummary, OwnPlaylists } from '../data/own-playlists.ts'
import { useIsAccountKnown, useSignedInAccount } from './identity.ts'
import { useLiveQuery } from './live-query.ts'
import { useOfflineMutations } from './offline-mutations.ts'
import { useServices } from './services.tsx'

export type { OwnPlaylistContent, OwnPlaylistSummary } from '../data/own-playlists.ts'

/** The functions of `OwnPlaylists` for the account `uid`, or for this device if nobody is signed in. */
interface OwnPlaylistStore {
  readonly uid: string
  readonly ownPlaylists: OwnPlaylists
}

/**
 * Returns the store of the own playlists: those of the signed-in account, or of this device if nobody is signed in. `undefined` until its
 * chunk is loaded.
 */
export function useOwnPlaylistStore(): OwnPlaylistStore | undefined {
  const ownPlaylists = useOfflineMutations({ allowAnonymous: true })?.ownPlaylists
  const uid = useSignedInAccount()?.uid ?? ANONYMOUS_UID
  const isAccountKnown = useIsAccountKnown()
  return useMemo(() => (ownPlaylists && isAccountKnown ? { uid, ownPlaylists } : undefined), [ownPlaylists, uid, isAccountKnown])
}

/** Returns the own playlists, the newest first; `undefined` until they are read. */
export function useOwnPlaylists(): readonly OwnPlaylistSummary[] | undefined {
  const store = useOwnPlaylistStore()
  return useLiveQuery(store?.ownPlaylists.all(store.uid))
}

/** Returns the deleted own playlists that can be restored, the last deleted first; `undefined` until they are read. */
export function useDeletedOwnPlaylists(): readonly OwnPlaylistSummary[] | undefined {
  const store = useOwnPlaylistStore()
  return useLiveQuery(store?.ownPlaylists.deleted(store.uid))
}

export interface OwnPlaylistCard {
  readonly playlist: Playlist
  /** The ids of the songs whose covers form the playlist's picture. */
  readonly songIds: readonly string[]
  /** Whether this device still fetches songs of the playlist, so that the number of its songs is not known yet. */
  readonly isPartial: boolean
}

/**
 * Returns the data of the own playlists that cards show; `undefined` until they are read. Loads the code and the songs with which the pages of the
 * first `preloadedCount` playlists open.
 */
export function useOwnPlaylistCards(preloadedCount: number): readonly OwnPlaylistCard[] | undefined {
  const { database } = useServices()
  const uid = useOwnPlaylistStore()?.uid
  const playlists = useOwnPlaylists()
  useEffect(() => {
    if (uid === undefined || !playlists) return
    const contextIds = playlists.slice(0, preloadedCount).map(({ id }) => createOwnPlaylistContextId(id))
    import('../data/device-contexts.ts')
      .then(({ preloadFirstSongs }) => preloadFirstSongs(database, uid, contextIds))
      .catch(() => {
        // A failure is ignored, because the page of a playlist loads its songs itself when it is opened.
      })
  }, [database, uid, playlists, preloadedCount])
  return useMemo(
    () =>
      playlists?.map((ownPlaylist) => ({
        playlist: toSitePlaylist(ownPlaylist),
        songIds: ownPlaylist.firstSongIds,
        isPartial: ownPlaylist.isPartial === true,
      })),
    [playlists],
  )
}

/** Returns an own playlist with its songs; `null` if there is none with the id, `undefined` until it is read. */
export function useOwnPlaylist(playlistId: string): OwnPlaylistContent | null | undefined {
  const store = useOwnPlaylistStore()
  return useLiveQuery(store?.ownPlaylists.content(store.uid, playlistId))
}

/** Returns an own playlist without its songs; `null` if there is none with the id, `undefined` without a `playlistId` and until it is read. */
export function useOwnPlaylistSummary(playlistId: string | undefined): OwnPlaylistSummary | null | undefined {
  const store = useOwnPlaylistStore()
  return useLiveQuery(playlistId === undefined ? undefined : store?.ownPlaylists.summary(store.uid, playlistId))
}

/** Returns the context id of an own playlist, which the playlist page and the player use. */
export const createOwnPlaylistContextId = (id: string): string => `${OWN_PLAYLIST_CONTEXT_PREFIX}${id}`

/** Returns the error text for a change that failed. If the change is not allowed, the text states the reason. */
export const describeOwnPlaylistFailure = (error: unknown): string =>
  error instanceof RangeError ? error.message : "This couldn't be saved on this device."
