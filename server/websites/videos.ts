import { findChannelIds } from '../../contract/channel.ts'
import type { Song } from '../../contract/song.ts'
import type { SubscriberInfo } from '../../contract/website.ts'
import { WEBSITE_SONGS_MAX } from '../../contract/website-rules.ts'
import { createWatchUrl } from '../../contract/youtube.ts'
import type { SongReadOptions } from '../catalogue/store-song-rows.ts'
import type { Storage } from '../storage/open.ts'
import type { ChosenSong } from './store.ts'

/** Returns the function that lists the songs of a website. */
export function createWebsiteSongLister({ songs: { listByIds, listNewest }, websites }: Pick<Storage, 'songs' | 'websites'>) {
  /**
   * Returns the songs that an owner has chosen, in the order of the website, without hidden ones. A video that the catalogue does not have has the
   * owner's title.
   */
  async function listChosen(songs: readonly ChosenSong[], author_name: string, readOptions: SongReadOptions): Promise<Song[]> {
    const songIds = songs.map(({ youtube_id }) => youtube_id)
    const hiddenIds = await websites.findHiddenSongs(songIds)
    const foundSongs = await listByIds(songIds, readOptions)
    return songs.flatMap(({ youtube_id, title }): Song[] => {
      if (hiddenIds.has(youtube_id)) return []
      const foundSong = foundSongs.find((song) => song.youtube_id === youtube_id)
      if (foundSong !== undefined) return [title === '' ? foundSong : { ...foundSong, title }]
      const unknownVideo: Song = {
        ...{ youtube_id, youtube_url: createWatchUrl(youtube_id), title: title || author_name, author_name },
        ...{ category_id: '', category_name: '', date_added: new Date(0).toISOString(), new: 'false' },
      }
      return [unknownVideo]
    })
  }

  async function listOwnVideos(
    songs: readonly ChosenSong[],
    { youtube, name }: SubscriberInfo['data'],
    readOptions: SongReadOptions,
  ): Promise<Song[]> {
    if (songs.length > 0) return listChosen(songs, name, readOptions)
    const channelIds = findChannelIds(youtube)
    return channelIds.length === 0 ? [] : listNewest(WEBSITE_SONGS_MAX, readOptions, channelIds)
  }

  /**
   * Returns the songs of a website as `videos`: its own songs, followed by the newest songs of the catalogue up to the maximum number. `own_count` is
   * the number of its own songs.
   */
  return async (songs: readonly ChosenSong[], websiteData: SubscriberInfo['data'], readOptions: SongReadOptions) => {
    const ownSongs = await listOwnVideos(songs, websiteData, readOptions)
    const others = ownSongs.length === WEBSITE_SONGS_MAX ? [] : await listNewest(WEBSITE_SONGS_MAX, readOptions)
    const otherSongs = others.filter(({ youtube_id }) => !ownSongs.some((song) => song.youtube_id === youtube_id))
    return { videos: [...ownSongs, ...otherSongs].slice(0, WEBSITE_SONGS_MAX), own_count: ownSongs.length }
  }
}
