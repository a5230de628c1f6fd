import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ImportRow } from '../../../contract/import.ts'
import { CommandError } from '../command.ts'
import { countValues, importRows, type YoutubeImportContext } from './import-run.ts'
import type { PlaylistItem } from './schemas.ts'
import { readVideos, type SkipReason, type VideoFields } from './videos.ts'
import { InterruptedError, NoPlaylistError } from './youtube-api.ts'

const MembersProgress = Type.Object({
  /** For each channel, the publication date of the newest upload that has been read. */
  newestUploads: Type.Record(Type.String(), Type.String()),
  /** The playlists to which each video was added, so that a song that an admin has removed is not added again. */
  submissions: Type.Record(Type.String(), Type.Array(Type.String())),
})
export type MembersProgress = Static<typeof MembersProgress>

const progressCheck = Compile(MembersProgress)
const progressPath = (dataDir: string) => join(dataDir, 'youtube-members.json')

/** Reads the record of earlier imports. @throws CommandError if the file is damaged */
async function readMembersProgress(dataDir: string): Promise<MembersProgress> {
  const filePath = progressPath(dataDir)
  try {
    const progress: unknown = JSON.parse(await readFile(filePath, 'utf8'))
    if (progressCheck.Check(progress)) return progress
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { newestUploads: {}, submissions: {} }
  }
  throw new CommandError(`${filePath} is damaged: remove it to read all uploads anew`)
}

/** Writes the record to a new file that replaces the old one, so that an interrupted write damages nothing. */
async function writeMembersProgress(dataDir: string, progress: MembersProgress): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = progressPath(dataDir)
  await writeFile(`${path}.new`, JSON.stringify(progress))
  await rename(`${path}.new`, path)
}

export interface MembersImportSummary {
  members: number
  /** The number of songs that were not in the catalogue. */
  added: number
  /** The number of songs that were added to each playlist. */
  playlists: Record<string, number>
  /** The number of videos that were not imported although their descriptions name a playlist, by reason. */
  left_out: Record<string, number>
  /** Why the uploads of some members could not be read, by channel. */
  unreadable: Record<string, string>
}

/** The date that is recorded for a channel without uploads. */
const BEFORE_ALL_UPLOADS = '1970-01-01T00:00:00Z'

/** An upload whose description names playlists of the site. */
interface Submission {
  videoId: string
  publishedAt: string
  playlistIds: string[]
}

const HASHTAG_PATTERN = /(?<![\p{L}\p{M}\p{N}_])#([A-Za-z0-9_-]+)(?![\p{L}\p{M}\p{N}_-])/gu
const URL_TEXT = /(?<![a-z])[a-z]+:\/\/\S+/gi

/** Maps hashtags to playlist ids. Upper and lower case count as equal, except for ids that differ only in case. */
export const hashtagsOf = (playlistIds: readonly string[]): ReadonlyMap<string, string> =>
  new Map([...playlistIds.map((id) => [id.toLowerCase(), id] as const), ...playlistIds.map((id) => [id, id] as const)])

/** Returns the playlists that a description names by hashtag, such as `#nightcore-hits`. The fragment of a URL is no hashtag. */
export function playlistIdsInDescription(description: string, hashtags: ReadonlyMap<string, string>): string[] {
  const tags = [...description.replace(URL_TEXT, ' ').matchAll(HASHTAG_PATTERN)].map(([, tag = '']) => tag)
  return [...new Set(tags.flatMap((tag) => hashtags.get(tag) ?? hashtags.get(tag.toLowerCase()) ?? []))]
}

interface ChannelUploads {
  submissions: Submission[]
  newestUpload: string | undefined
}

/**
 * Reads the uploads of a channel, newest first, up to those that an earlier import has read. The first page is always read, because descriptions may
 * have changed.
 */
async function readUploads(
  { api }: YoutubeImportContext,
  uploadsId: string,
  hashtags: ReadonlyMap<string, string>,
  newestRead: string | undefined,
): Promise<ChannelUploads> {
  const submissions: Submission[] = []
  let newestUpload = newestRead
  const publishedAtOf = ({ contentDetails, snippet }: PlaylistItem) => contentDetails.videoPublishedAt ?? snippet.publishedAt
  try {
    for await (const page of api.pagesOf(uploadsId)) {
      for (const item of page) {
        const publishedAt = publishedAtOf(item)
        if (newestUpload === undefined || Date.parse(publishedAt) > Date.parse(newestUpload)) newestUpload = publishedAt
        const named = playlistIdsInDescription(item.snippet.description ?? '', hashtags)
        if (named.length > 0) submissions.push({ videoId: item.contentDetails.videoId, publishedAt, playlistIds: named })
      }
      if (newestRead !== undefined && page.some((item) => Date.parse(publishedAtOf(item)) <= Date.parse(newestRead))) break
    }
  } catch (error) {
    // YouTube reports no uploads playlist for a channel without uploads.
    if (!(error instanceof NoPlaylistError)) throw error
  }
  return { submissions, newestUpload }
}

interface Found extends Submission {
  /** The fields of the new song; `undefined` if the catalogue already contains the song. */
  fields: VideoFields | undefined
}

/** Adds the found songs to the stored playlists, and imports both the songs and the playlists. */
async function importFound(
  run: YoutubeImportContext,
  foundSubmissions: readonly Found[],
): Promise<Pick<MembersImportSummary, 'added' | 'playlists'>> {
  const playlists = new Map<string, ImportRow<'playlists'>>()
  const songs: ImportRow<'songs'>[] = []
  const counts: Record<string, number> = {}
  for (const { videoId, publishedAt, playlistIds, fields } of foundSubmissions) {
    for (const playlistId of playlistIds) {
      const playlist = playlists.get(playlistId) ?? (await run.storage.catalogue.readPlaylist(playlistId))
      if (playlist === undefined) continue
      if (fields !== undefined && songs.at(-1)?.youtube_id !== videoId) {
        const { category_id, category_name } = playlist
        songs.push({ ...fields, category_id, category_name, date_added: publishedAt })
      }
      if (playlist.songs.includes(videoId)) continue
      playlists.set(playlistId, { ...playlist, songs: [...playlist.songs, videoId] })
      counts[playlistId] = (counts[playlistId] ?? 0) + 1
    }
  }
  await importRows(run, { songs, playlists: [...playlists.values()] })
  return { added: songs.length, playlists: counts }
}

function recordProgress(
  progress: MembersProgress,
  foundSubmissions: readonly Found[],
  newestUploads: ReadonlyMap<string, string>,
): MembersProgress {
  const submissions = { ...progress.submissions }
  for (const { videoId, playlistIds } of foundSubmissions) submissions[videoId] = [...(submissions[videoId] ?? []), ...playlistIds]
  return { newestUploads: { ...progress.newestUploads, ...Object.fromEntries(newestUploads) }, submissions }
}

/**
 * Reads the uploads of all members and adds those whose description names a playlist of the site (`#<playlist id>`) to that playlist. If YouTube
 * stops answering, the songs of the members read so far are stored, and the next run begins with the other members.
 * @throws InterruptedError if the import is to be repeated later
 */
export async function importMembers(run: YoutubeImportContext): Promise<MembersImportSummary> {
  const { storage, api, config, report } = run
  const progress = await readMembersProgress(config.dataDir)
  const hashtags = hashtagsOf(await storage.catalogue.listPlaylistIds())
  const channelIds = await storage.catalogue.listMemberChannels()
  const isUnread = (channelId: string) => progress.newestUploads[channelId] === undefined
  const unreadFirst = [...channelIds.filter(isUnread), ...channelIds.filter((channelId) => !isUnread(channelId))]

  const foundSubmissions: Found[] = []
  const obstacles = new Map<string, SkipReason>()
  const newestUploads = new Map<string, string>()
  const unreadable = new Map<string, string>()

  async function readChannel(channelId: string, uploadsId: string): Promise<void> {
    const { submissions, newestUpload } = await readUploads(run, uploadsId, hashtags, progress.newestUploads[channelId])
    const newSubmissions = submissions.flatMap((submission) => {
      const done = progress.submissions[submission.videoId] ?? []
      const playlistIds = submission.playlistIds.filter((id) => !done.includes(id))
      return playlistIds.length === 0 ? [] : [{ ...submission, playlistIds }]
    })
    const knownIds = await storage.catalogue.listCompleteSongs(newSubmissions.map(({ videoId }) => videoId))
    const newIds = newSubmissions.flatMap(({ videoId }) => (knownIds.has(videoId) ? [] : [videoId]))
    const videoResults = new Map<string, VideoFields | SkipReason>()
    await readVideos(api, newIds, videoResults, () => {})
    // The statements below cannot fail, so that the result of a channel is recorded completely or not at all.
    for (const submission of newSubmissions) {
      const fields = videoResults.get(submission.videoId)
      if (typeof fields === 'string') obstacles.set(submission.videoId, fields)
      else foundSubmissions.push({ ...submission, fields })
    }
    newestUploads.set(channelId, newestUpload ?? BEFORE_ALL_UPLOADS)
  }

  /** Reads a channel. Records the reason of a failure instead of throwing it, so that the other channels are still read. */
  async function tryChannel(channelId: string, uploadsId: string): Promise<void> {
    try {
      await readChannel(channelId, uploadsId)
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof InterruptedError) throw error
      unreadable.set(channelId, error.message)
    }
  }

  let interruption: InterruptedError | undefined
  let channelsRead = 0
  try {
    const uploadsOf = await api.readUploadPlaylists(unreadFirst)
    for (const channelId of unreadFirst) {
      const uploadsId = uploadsOf.get(channelId)
      if (uploadsId !== undefined) await tryChannel(channelId, uploadsId)
      channelsRead++
      report(`${channelsRead} of ${channelIds.length} members are read`)
    }
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error
    interruption = error
  }
  const importedCounts = await importFound(run, foundSubmissions)
  await writeMembersProgress(config.dataDir, recordProgress(progress, foundSubmissions, newestUploads))
  if (interruption !== undefined) {
    const stored = `${channelsRead} of ${channelIds.length} members are read and their songs stored`
    throw new InterruptedError(`${interruption.message}. ${stored}`)
  }
  return {
    members: channelsRead - unreadable.size,
    ...importedCounts,
    left_out: countValues(obstacles.values()),
    unreadable: Object.fromEntries(unreadable),
  }
}
