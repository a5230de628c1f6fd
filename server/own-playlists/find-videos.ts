import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Song } from '../../contract/song.ts'
import { responseSchemas } from '../admin/youtube/schemas.ts'
import { readPlayableVideo } from '../admin/youtube/videos.ts'
import { splitIntoBatches } from '../admin/youtube/youtube-api.ts'
import type { YoutubeReader } from '../http/youtube-reader.ts'
import type { Storage } from '../storage/open.ts'
import { createYoutubeUnavailableError } from './youtube-playlists.ts'

const videosValidator = Compile(Type.Object({ items: responseSchemas.videos.properties.items }))

type VideoStorage = Pick<Storage['songs'], 'listVideoSongs' | 'storeVideos'>

/**
 * Returns the function that looks up videos for own playlists: the stored ones, and those that YouTube tells of the others, which are then stored. A
 * video that cannot be played on other sites, or that an admin has hidden, is left out. 50 new videos cost one unit of the key's daily quota.
 * @throws ApiError 503 if YouTube does not answer
 */
export function createVideoFinder(songs: VideoStorage, readYoutube: YoutubeReader) {
  return async (videoIds: readonly string[], nowMs: number): Promise<Song[]> => {
    const storedIds = new Set((await songs.listVideoSongs(videoIds)).map((song) => song.youtube_id))
    for (const idBatch of splitIntoBatches(videoIds.filter((id) => !storedIds.has(id)))) {
      const answer = await readYoutube('videos', { part: 'snippet,contentDetails,status', id: idBatch.join(',') })
      if (!videosValidator.Check(answer)) throw createYoutubeUnavailableError()
      const playableVideos = (answer.items ?? []).flatMap((video) => readPlayableVideo(video) ?? [])
      await songs.storeVideos(
        playableVideos.map(({ youtube_id, title, author_name, author_channel_id = null, duration = null }) => ({
          ...{ song_id: youtube_id, title, author_name, author_channel_id, duration },
        })),
        nowMs,
      )
    }
    return songs.listVideoSongs(videoIds)
  }
}
