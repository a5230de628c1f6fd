import { foldText } from '../../contract/fold-text.ts'
import type { Song } from '../../contract/song.ts'
import { readFollows } from './follows.ts'
import type { LocalDatabase, Tables } from './local-database.ts'
import { createResource, createResourcePool, type RepositoryDeps, type Resource } from './resource.ts'
import { toSongRow } from './row-shapes.ts'

/** The newest songs of the followed artists. */
export interface FollowedSongs {
  /** The songs, the newest first. */
  readonly songs: readonly Song[]
  /** The number of songs that were added after their artist was followed, and that the person has not seen on /latest. */
  readonly unseenCount: number
}

/** Reads the songs of an account's followed artists as last fetched; `undefined` if they were not fetched. */
async function readFollowedSongs(tables: Tables, uid: string): Promise<FollowedSongs | undefined> {
  const followedSongsRow = await tables.followedSongs.get(uid)
  const followedAtMsByArtist = new Map((await readFollows(tables, uid)).map(({ name, atMs }) => [foldText(name), atMs]))
  if (!followedSongsRow) return followedAtMsByArtist.size === 0 ? { songs: [], unseenCount: 0 } : undefined
  const followedSongs = followedSongsRow.songs.filter(({ author_name }) => followedAtMsByArtist.has(foldText(author_name)))
  const seenIds = new Set(followedSongsRow.seenIds)
  const isUnseenSong = ({ youtube_id, author_name, date_added }: Song) =>
    !seenIds.has(youtube_id) && Date.parse(date_added) > (followedAtMsByArtist.get(foldText(author_name)) ?? Number.POSITIVE_INFINITY)
  return { songs: followedSongs, unseenCount: followedSongs.filter(isUnseenSong).length }
}

interface FollowedSongsDeps extends Pick<RepositoryDeps, 'api' | 'database'> {
  uid: string
}

function createAccountFollowedSongs({ api, database, uid }: FollowedSongsDeps) {
  return createResource<FollowedSongs>({
    key: `followed:${uid}`,
    database,
    read: (tables) => readFollowedSongs(tables, uid),
    async request() {
      const artistNames = (await database.read((tables) => readFollows(tables, uid))).map(({ name }) => name)
      const songs = artistNames.length === 0 ? [] : await api.call('POST /follow/songs', { artists: artistNames })
      return {
        rows: { songs, unseenCount: 0 },
        async write(tables) {
          const followedSongsRow = await tables.followedSongs.get(uid)
          if (!followedSongsRow && artistNames.length === 0) return
          const seenIds = followedSongsRow?.seenIds ?? []
          const ids = new Set(songs.map(({ youtube_id }) => youtube_id))
          // The ids of songs that are no longer among the newest are not needed any more.
          await tables.followedSongs.put([{ uid, songs: songs.map(toSongRow), seenIds: seenIds.filter((id) => ids.has(id)) }])
        },
      }
    },
  })
}

/**
 * Creates the function that returns the newest songs of the artists that an account follows, as stored on this device and refreshed from
 * the server. For the same account, the function returns the same object.
 */
export function createFollowedSongs({ api, database, connection }: RepositoryDeps): (uid: string) => Resource<FollowedSongs> {
  const pool = createResourcePool({ connection })
  return (uid) => pool.get(uid, () => createAccountFollowedSongs({ api, database, uid }))
}

/** Stores that the person has seen all songs that are listed. */
export const markFollowedSongsSeen = (database: LocalDatabase, uid: string): Promise<void> =>
  database.change(async (tables) => {
    const row = await tables.followedSongs.get(uid)
    const ids = row?.songs.map(({ youtube_id }) => youtube_id) ?? []
    if (row && !ids.every((id) => row.seenIds.includes(id))) await tables.followedSongs.put([{ ...row, seenIds: ids }])
  })
