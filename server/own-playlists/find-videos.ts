import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Song } from '../../contract/song.ts'
import { responseSchemas } from '../admin/youtube/schemas.ts'
import { readPlayableVideo } from '../admin/youtube/videos.ts'
import { splitIntoBatches } from '../admin/youtube/youtube-api.ts'
import { DAY_MS } from '../durations.ts'
import type { YoutubeReader } from '../http/youtube-reader.ts'
import type { Storage } from '../storage/open.ts'

const videosValidator = Compile(Type.Object({ items: responseSchemas.videos.properties.items }))

/** The numbers of requests for videos in a day: of an account, which are enough for two playlists of maximum size, and of the site, so that the key keeps half of its quota. */
const ACCOUNT_REQUESTS_PER_DAY = 400
const SITE_REQUESTS_PER_DAY = 5000
/** The time without requests after one that YouTube did not answer: an import calls for each 50 of its videos, and would wait for each time-out. */
const YOUTUBE_PAUSE_MS = 60_000

const LIMIT_REASON = 'Many videos were looked up today. Please go on tomorrow.'
const NO_ANSWER_REASON = 'YouTube cannot be asked right now. Please try again in a minute.'

/** The videos that were found. `unsearched` has the ids of those that were not looked up, and a message that says why; missing if all were. */
export interface FoundVideos {
  songs: Song[]
  unsearched?: { ids: string[]; reason: string }
}

type VideoStorage = Pick<Storage, 'songs' | 'attempts'>

/**
 * Returns the function that looks up videos for the own playlists of an account: the stored ones, and those that YouTube tells of the others, which are then
 * stored. A video that cannot be played on other sites, or that an admin has hidden, is left out. 50 new videos cost one unit of the key's daily quota. Above
 * the limits of a day, or if YouTube does not answer, the others are not looked up.
 */
export function createVideoFinder({ songs, attempts }: VideoStorage, readYoutube: YoutubeReader) {
  let pausedUntilMs = 0

  async function countRequest(uid: string, nowMs: number): Promise<boolean> {
    const requestLimits = [
      { key: `videos of ${uid}`, max: ACCOUNT_REQUESTS_PER_DAY, windowMs: DAY_MS },
      { key: 'videos of all accounts', max: SITE_REQUESTS_PER_DAY, windowMs: DAY_MS },
    ]
    return (await attempts.take(requestLimits, nowMs)) !== undefined
  }

  /** Stores the videos that YouTube tells of one request's ids. Resolves with the reason if a limit or YouTube refuses. */
  async function storeVideos(uid: string, idBatch: readonly string[], nowMs: number): Promise<string | undefined> {
    if (nowMs < pausedUntilMs) return NO_ANSWER_REASON
    if (!(await countRequest(uid, nowMs))) return LIMIT_REASON
    const answer = await readYoutube('videos', { part: 'snippet,contentDetails,status', id: idBatch.join(',') })
    if (!videosValidator.Check(answer)) {
      pausedUntilMs = nowMs + YOUTUBE_PAUSE_MS
      return NO_ANSWER_REASON
    }
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
    let reason: string | undefined
    for (let batch = unsearchedBatches[0]; batch !== undefined; batch = unsearchedBatches[0]) {
      reason = await storeVideos(uid, batch, nowMs)
      if (reason !== undefined) break
      unsearchedBatches.shift()
    }
    return {
      songs: await songs.listVideoSongs(videoIds),
      ...(reason !== undefined && { unsearched: { ids: unsearchedBatches.flat(), reason } }),
    }
  }
}
