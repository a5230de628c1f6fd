import { useCallback, useMemo } from 'react'
import { foldText } from '../../contract/fold-text.ts'
import { type FollowedArtist, FollowRefusal } from '../data/follows.ts'
import { ANONYMOUS_UID } from '../data/local-database.ts'
import { useIsAccountKnown, useSignedInAccount } from './identity.ts'
import { useLiveQuery } from './live-query.ts'
import { useOfflineMutations } from './offline-mutations.ts'
import type { OfflineMutations } from './services.tsx'

export type { FollowedArtist } from '../data/follows.ts'

interface FollowStore extends Pick<OfflineMutations, 'follows' | 'followedSongs'> {
  readonly uid: string
}

/**
 * Returns the store of the followed artists: those of the signed-in account, or of this device if nobody is signed in. `undefined` until
 * its chunk is loaded.
 */
export function useFollowStore(): FollowStore | undefined {
  const mutations = useOfflineMutations({ allowAnonymous: true })
  const uid = useSignedInAccount()?.uid ?? ANONYMOUS_UID
  const isAccountKnown = useIsAccountKnown()
  return useMemo(
    () => (mutations && isAccountKnown ? { uid, follows: mutations.follows, followedSongs: mutations.followedSongs } : undefined),
    [mutations, uid, isAccountKnown],
  )
}

/** Returns the followed artists, with the artist followed last at the beginning; `undefined` until they are read. */
export function useFollowedArtists(): readonly FollowedArtist[] | undefined {
  const store = useFollowStore()
  return useLiveQuery(store?.follows.list(store.uid))
}

/** Returns whether an artist is followed (`undefined` until this is read), and the function that follows or unfollows the artist. */
export function useFollow(artistName: string): { isFollowed: boolean | undefined; change: (follow: boolean) => Promise<void> } {
  const followStore = useFollowStore()
  const followedArtists = useFollowedArtists()
  const foldedName = foldText(artistName)
  const changeFollow = useCallback(
    async (follow: boolean) => followStore?.follows.change(followStore.uid, artistName, follow),
    [followStore, artistName],
  )
  return { isFollowed: followedArtists?.some((artist) => foldText(artist.name) === foldedName), change: changeFollow }
}

/** Returns the error text for a change that failed. If the change is not allowed, the text states the reason. */
export const describeFollowFailure = (error: unknown): string =>
  error instanceof FollowRefusal ? error.message : "This couldn't be saved on this device."
