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
const createProgressPath = (dataDir: string) => join(dataDir, 'youtube-members.json')

/** Reads the record of earlier imports. @throws CommandError if the file is damaged */
async function readMembersProgress(dataDir: string): Promise<MembersProgress> {
  const filePath = createProgressPath(dataDir)
  try {
    const progress: unknown = JSON.parse(await readFile(filePath, 'utf8'))
    if (progressCheck.Check(progress)) return progress
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { newestUploads: {}, submissions: {} }
  }
  throw new CommandError(`${filePath} is damaged: remove it to read all uploads anew`)
}

/** Writes the record to a new file that replaces the old one, so that an interrupted write damages nothing. */
async function writeMembersProgress(dataDir: string, membersProgress: MembersProgress): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = createProgressPath(dataDir)
  await writeFile(`${path}.new`, JSON.stringify(membersProgress))
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
const URL_PATTERN = /(?<![a-z])[a-z]+:\/\/\S+/gi

/** Maps hashtags to playlist ids. Upper and lower case count as equal, except for ids that differ only in case. */
export const createHashtags = (playlistIds: readonly string[]): ReadonlyMap<string, string> =>
  new Map([...playlistIds.map((id) => [id.toLowerCase(), id] as const), ...playlistIds.map((id) => [id, id] as const)])

/** Returns the playlists that a description names by hashtag, such as `#nightcore-hits`. The fragment of a URL is no hashtag. */
export function findPlaylistIds(channelDescription: string, idByHashtag: ReadonlyMap<string, string>): string[] {
  const tags = [...channelDescription.replace(URL_PATTERN, ' ').matchAll(HASHTAG_PATTERN)].map(([, tag = '']) => tag)
  return [...new Set(tags.flatMap((tag) => idByHashtag.get(tag) ?? idByHashtag.get(tag.toLowerCase()) ?? []))]
}

interface ChannelUploads {
  songSubmissions: Submission[]
  newestUpload: string | undefined
}

/**
 * Reads the uploads of a channel, newest first, up to those that an earlier import has read. The first page is always read, because descriptions may
 * have changed.
 */
async function readUploads(
  { api }: YoutubeImportContext,
  uploadsPlaylistId: string,
  idByHashtag: ReadonlyMap<string, string>,
  newestReadPublishedAt: string | undefined,
): Promise<ChannelUploads> {
  const newSubmissions: Submission[] = []
  let newestUpload = newestReadPublishedAt
  const readPublishedAt = ({ contentDetails, snippet }: PlaylistItem) => contentDetails.videoPublishedAt ?? snippet.publishedAt
  try {
    for await (const page of api.pagesOf(uploadsPlaylistId)) {
      for (const playlistItem of page) {
        const publishedAt = readPublishedAt(playlistItem)
        if (newestUpload === undefined || Date.parse(publishedAt) > Date.parse(newestUpload)) newestUpload = publishedAt
        const named = findPlaylistIds(playlistItem.snippet.description ?? '', idByHashtag)
        if (named.length > 0) newSubmissions.push({ videoId: playlistItem.contentDetails.videoId, publishedAt, playlistIds: named })
      }
      if (
        newestReadPublishedAt !== undefined &&
        page.some((item) => Date.parse(readPublishedAt(item)) <= Date.parse(newestReadPublishedAt))
      )
        break
    }
  } catch (error) {
    // YouTube reports no uploads playlist for a channel without uploads.
    if (!(error instanceof NoPlaylistError)) throw error
  }
  return { songSubmissions: newSubmissions, newestUpload }
}

interface FoundPlaylist extends Submission {
  /** The fields of the new song; `undefined` if the catalogue already contains the song. */
  fields: VideoFields | undefined
}

/** Adds the found songs to the stored playlists, and imports both the songs and the playlists. */
async function importFoundSubmissions(
  importContext: YoutubeImportContext,
  foundSubmissions: readonly FoundPlaylist[],
): Promise<Pick<MembersImportSummary, 'added' | 'playlists'>> {
  const playlistRowById = new Map<string, ImportRow<'playlists'>>()
  const songRows: ImportRow<'songs'>[] = []
  const countByReason: Record<string, number> = {}
  for (const { videoId, publishedAt, playlistIds, fields } of foundSubmissions) {
    for (const playlistId of playlistIds) {
      const playlistRow = playlistRowById.get(playlistId) ?? (await importContext.storage.catalogue.readPlaylist(playlistId))
      if (playlistRow === undefined) continue
      if (fields !== undefined && songRows.at(-1)?.youtube_id !== videoId) {
        const { category_id, category_name } = playlistRow
        songRows.push({ ...fields, category_id, category_name, date_added: publishedAt })
      }
      if (playlistRow.songs.includes(videoId)) continue
      playlistRowById.set(playlistId, { ...playlistRow, songs: [...playlistRow.songs, videoId] })
      countByReason[playlistId] = (countByReason[playlistId] ?? 0) + 1
    }
  }
  await importRows(importContext, { songs: songRows, playlists: [...playlistRowById.values()] })
  return { added: songRows.length, playlists: countByReason }
}

function recordProgress(
  membersProgress: MembersProgress,
  foundSubmissions: readonly FoundPlaylist[],
  newestUploadTimeByChannelId: ReadonlyMap<string, string>,
): MembersProgress {
  const submissions = { ...membersProgress.submissions }
  for (const { videoId, playlistIds } of foundSubmissions) submissions[videoId] = [...(submissions[videoId] ?? []), ...playlistIds]
  return { newestUploads: { ...membersProgress.newestUploads, ...Object.fromEntries(newestUploadTimeByChannelId) }, submissions }
}

/**
 * Reads the uploads of all members and adds those whose description names a playlist of the site (`#<playlist id>`) to that playlist. If YouTube
 * stops answering, the songs of the members read so far are stored, and the next run begins with the other members.
 * @throws InterruptedError if the import is to be repeated later
 */
export async function importMembers(importContext: YoutubeImportContext): Promise<MembersImportSummary> {
  const { storage, api, config, report } = importContext
  const membersProgress = await readMembersProgress(config.dataDir)
  const idByHashtag = createHashtags(await storage.catalogue.listPlaylistIds())
  const channelIds = await storage.catalogue.listMemberChannels()
  const isUnreadChannel = (channelId: string) => membersProgress.newestUploads[channelId] === undefined
  const channelIdsUnreadFirst = [...channelIds.filter(isUnreadChannel), ...channelIds.filter((channelId) => !isUnreadChannel(channelId))]

  const foundSubmissions: FoundPlaylist[] = []
  const skipReasonById = new Map<string, SkipReason>()
  const newestUploadByChannel = new Map<string, string>()
  const reasonByChannel = new Map<string, string>()

  async function readChannel(channelId: string, uploadsPlaylistId: string): Promise<void> {
    const { songSubmissions, newestUpload } = await readUploads(
      importContext,
      uploadsPlaylistId,
      idByHashtag,
      membersProgress.newestUploads[channelId],
    )
    const newSubmissions = songSubmissions.flatMap((newSubmission) => {
      const done = membersProgress.submissions[newSubmission.videoId] ?? []
      const playlistIds = newSubmission.playlistIds.filter((id) => !done.includes(id))
      return playlistIds.length === 0 ? [] : [{ ...newSubmission, playlistIds }]
    })
    const knownIds = await storage.catalogue.listCompleteSongs(newSubmissions.map(({ videoId }) => videoId))
    const newIds = newSubmissions.flatMap(({ videoId }) => (knownIds.has(videoId) ? [] : [videoId]))
    const resultByVideoId = new Map<string, VideoFields | SkipReason>()
    await readVideos(api, newIds, resultByVideoId, () => {})
    // The statements below cannot fail, so that the result of a channel is recorded completely or not at all.
    for (const newSubmission of newSubmissions) {
      const fields = resultByVideoId.get(newSubmission.videoId)
      if (typeof fields === 'string') skipReasonById.set(newSubmission.videoId, fields)
      else foundSubmissions.push({ ...newSubmission, fields })
    }
    newestUploadByChannel.set(channelId, newestUpload ?? BEFORE_ALL_UPLOADS)
  }

  /** Reads a channel. Records the reason of a failure instead of throwing it, so that the other channels are still read. */
  async function tryReadChannel(channelId: string, uploadsPlaylistId: string): Promise<void> {
    try {
      await readChannel(channelId, uploadsPlaylistId)
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof InterruptedError) throw error
      reasonByChannel.set(channelId, error.message)
    }
  }

  let interruptedError: InterruptedError | undefined
  let finishedChannelCount = 0
  try {
    const uploadsIdByChannelId = await api.readUploadPlaylists(channelIdsUnreadFirst)
    for (const channelId of channelIdsUnreadFirst) {
      const uploadsId = uploadsIdByChannelId.get(channelId)
      if (uploadsId !== undefined) await tryReadChannel(channelId, uploadsId)
      finishedChannelCount++
      report(`${finishedChannelCount} of ${channelIds.length} members are read`)
    }
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error
    interruptedError = error
  }
  const importedCounts = await importFoundSubmissions(importContext, foundSubmissions)
  await writeMembersProgress(config.dataDir, recordProgress(membersProgress, foundSubmissions, newestUploadByChannel))
  if (interruptedError !== undefined) {
    const stored = `${finishedChannelCount} of ${channelIds.length} members are read and their songs stored`
    throw new InterruptedError(`${interruptedError.message}. ${stored}`)
  }
  return {
    members: finishedChannelCount - reasonByChannel.size,
    ...importedCounts,
    left_out: countValues(skipReasonById.values()),
    unreadable: Object.fromEntries(reasonByChannel),
  }
}
