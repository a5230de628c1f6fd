import type { ImportRow } from '../../../contract/import.ts'
import type { Video } from './schemas.ts'
import { splitIntoBatches, type YoutubeApi } from './youtube-api.ts'

/** Why a video is not imported as a song. */
export type SkipReason = 'gone' | 'private' | 'not embeddable' | 'age-restricted' | 'live' | 'not ready' | 'blocked in most countries'

/** The fields of a song that are read from its video. */
export type VideoFields = Pick<
  ImportRow<'songs'>,
  'youtube_id' | 'title' | 'author_name' | 'author_channel_id' | 'duration' | 'description'
>

const ISO_DURATION_PATTERN = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** The longest duration that the catalogue accepts, in seconds: longer than any video. */
const DURATION_MAX_S = 1_000_000

/**
 * Parses a duration of the API, such as `PT3M20S`, to seconds. Returns `undefined` for any other text, and for zero, which is the duration of live
 * broadcasts.
 */
export function parseDurationSeconds(durationText: string | undefined): number | undefined {
  const durationMatch = ISO_DURATION_PATTERN.exec(durationText ?? '')
  if (durationMatch === null) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = durationMatch.slice(1).map((part) => Number(part ?? 0))
  const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
  return total > 0 && total <= DURATION_MAX_S ? total : undefined
}

/** Half of the countries that YouTube names, which are those of ISO 3166-1. */
const HALF_OF_COUNTRY_COUNT = 125

const isMostlyBlocked = ({ allowed, blocked = [] }: NonNullable<Video['contentDetails']['regionRestriction']>) =>
  allowed === undefined ? blocked.length > HALF_OF_COUNTRY_COUNT : allowed.length < HALF_OF_COUNTRY_COUNT

function findSkipReason({ snippet, contentDetails, status }: Video): SkipReason | undefined {
  if (status.privacyStatus === 'private') return 'private'
  if ((snippet.liveBroadcastContent ?? 'none') !== 'none') return 'live'
  if (status.uploadStatus !== 'processed' || parseDurationSeconds(contentDetails.duration) === undefined) return 'not ready'
  // YouTube does not play age-restricted videos on other sites.
  if (contentDetails.contentRating?.ytRating === 'ytAgeRestricted') return 'age-restricted'
  if (!status.embeddable) return 'not embeddable'
  return isMostlyBlocked(contentDetails.regionRestriction ?? {}) ? 'blocked in most countries' : undefined
}

/** Cleans a title or a name: one line without control characters, at most 300 characters. */
export const cleanName = (rawName: string, fallbackName: string) =>
  rawName
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300) || fallbackName

/** Cuts a description to the maximum length, and removes NUL characters, which databases refuse. */
export const cleanDescription = (text: string) => text.replaceAll('\0', '').slice(0, 20_000)

function readVideoFields({ id, snippet, contentDetails }: Video): VideoFields {
  const durationSeconds = parseDurationSeconds(contentDetails.duration)
  return {
    youtube_id: id,
    title: cleanName(snippet.title, id),
    // The names of channels that YouTube generates for artists end with ` - Topic`.
    author_name: cleanName(snippet.channelTitle.replace(/ - Topic$/, ''), 'Unknown'),
    author_channel_id: snippet.channelId,
    ...(durationSeconds === undefined ? {} : { duration: durationSeconds }),
    description: cleanDescription(snippet.description),
  }
}

/** Returns the fields of a video that can be played on other sites; `undefined` for any other video. */
export const readPlayableVideo = (video: Video): VideoFields | undefined =>
  findSkipReason(video) === undefined ? readVideoFields(video) : undefined

/**
 * Reads videos, 50 for each request. Stores the fields or the skip reason of each video in `resultByVideoId`. The caller passes `resultByVideoId`, so that the caller
 * also has the results of the videos that were read before a failure.
 */
export async function readVideos(
  api: YoutubeApi,
  videoIds: readonly string[],
  resultByVideoId: Map<string, VideoFields | SkipReason>,
  reportDone: (done: number) => void,
): Promise<void> {
  for (const idBatch of splitIntoBatches(videoIds)) {
    const videoById = new Map((await api.readVideos(idBatch)).map((video) => [video.id, video]))
    for (const id of idBatch) {
      const video = videoById.get(id)
      resultByVideoId.set(id, video === undefined ? 'gone' : (findSkipReason(video) ?? readVideoFields(video)))
    }
    reportDone(resultByVideoId.size)
  }
}
