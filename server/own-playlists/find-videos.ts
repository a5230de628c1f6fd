import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError } from '../../contract/errors.ts'
import type { Song } from '../../contract/song.ts'
import { responseSchemas } from '../admin/youtube/schemas.ts'
import { readPlayableVideo } from '../admin/youtube/videos.ts'
import { splitIntoBatches } from '../admin/youtube/youtube-api.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import type { YoutubeReader } from '../http/youtube-reader.ts'
import type { Storage } from '../storage/open.ts'

const videosValidator = Compile(Type.Object({ items: responseSchemas.videos.properties.items }))

/** The numbers of requests for videos in a day: of an account, which are enough for two playlists of maximum size, and of the site, so that the key keeps half of its quota. */
const ACCOUNT_REQUESTS_PER_DAY = 400
const SITE_REQUESTS_PER_DAY = 5000

/** The videos that were found. `refusal` is why the videos with `unsearchedIds` were not looked up; undefined if all were. */
export interface FoundVideos {
  songs: Song[]
  unsearchedIds: string[]
  refusal: ApiError | undefined
}

type VideoStorage = Pick<Storage, 'songs' | 'attempts'>

/**
 * Returns the function that looks up videos for the own playlists of an account: the stored ones, and those that YouTube tells of the others, which are then
 * stored. A video that cannot be played on other sites, or that an admin has hidden, is left out. 50 new videos cost one unit of the key's daily quota. Above
 * the limits of a day, or if YouTube does not answer, the others are not looked up.
 */
export function createVideoFinder({ songs, attempts }: VideoStorage, readYoutube: YoutubeReader) {
  async function countRequest(uid: string, nowMs: number): Promise<ApiError | undefined> {
    const requestLimits = [
      { key: `videos of ${uid}`, max: ACCOUNT_REQUESTS_PER_DAY, windowMs: DAY_MS },
      { key: 'videos of all accounts', max: SITE_REQUESTS_PER_DAY, windowMs: DAY_MS },
    ]
    return (await attempts.take(requestLimits, nowMs)) === undefined
      ? new ApiError('too-many', 'Many videos were looked up today. Please go on tomorrow.', HOUR_MS / 1000)
      : undefined
  }

  /** Stores the videos that YouTube tells of one request's ids. Resolves with the refusal of a limit or of YouTube. */
  async function storeVideos(uid: string, idBatch: readonly string[], nowMs: number): Promise<ApiError | undefined> {
    const limitRefusal = await countRequest(uid, nowMs)
    if (limitRefusal !== undefined) return limitRefusal
    const answer = await readYoutube('videos', { part: 'snippet,contentDetails,status', id: idBatch.join(',') })
    if (!videosValidator.Check(answer)) return new ApiError('unavailable', 'YouTube cannot be asked right now. Please try again later.')
    const playableVideos = (answer.items ?? []).flatMap((video) => readPlayableVideo(video) ?? [])
    await songs.storeVideos(
      playableVideos.map(({ youtube_id, title, author_name, author_channel_id = null, duration = null }) => ({
        ...{ song_id: youtube_id, title, author_name, author_channel_id, duration },
      })),
      nowMs,
    )
    return undefined
  }

  return async (uid: string, videoIds: readonly string[], nowMs: number): Promise<FoundVideos> => {
    const storedIds = new Set((await songs.listVideoSongs(videoIds)).map((song) => song.youtube_id))
    await songs.noteLookUp([...storedIds], nowMs)
    const unsearchedBatches = splitIntoBatches(videoIds.filter((id) => !storedIds.has(id)))
    let refusal: ApiError | undefined
    for (let batch = unsearchedBatches[0]; batch !== undefined; batch = unsearchedBatches[0]) {
      refusal = await storeVideos(uid, batch, nowMs)
      if (refusal !== undefined) break
      unsearchedBatches.shift()
    }
    return { songs: await songs.listVideoSongs(videoIds), unsearchedIds: unsearchedBatches.flat(), refusal }
  }
}
