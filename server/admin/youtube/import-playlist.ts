import type { ImportRow } from '../../../contract/import.ts'
import { countValues, importRows, type YoutubeImportContext } from './import-run.ts'
import type { PlaylistItem } from './schemas.ts'
import { cleanDescription, cleanName, readVideos, type SkipReason, type VideoFields } from './videos.ts'
import { InterruptedError } from './youtube-api.ts'

export interface PlaylistImport {
  youtubeId: string
  /** The id of the site's playlist. If the playlist exists, its title, description and settings are not changed. */
  playlistId: string
  /**
   * The category of the playlist and of its new songs. If it is undefined, the stored playlist's category is used, or a new category that is named
   * after the playlist.
   */
  categoryId: string | undefined
}

export interface PlaylistImportSummary {
  playlist: string
  songs: number
  added: number
  /** The number of videos that were not imported, by reason. */
  left_out: Record<string, number>
}

interface PlaylistVideoEntry {
  videoId: string
  addedAt: string
}

/** Lists the distinct videos of a playlist in order. Adds videos that YouTube marks as unavailable to `skipReasonById`. */
async function listEntries(
  { api, report }: YoutubeImportContext,
  youtubeId: string,
  skipReasonById: Map<string, SkipReason>,
): Promise<PlaylistVideoEntry[]> {
  const entryByVideoId = new Map<string, PlaylistVideoEntry>()
  const findSkipReason = ({ status, contentDetails }: PlaylistItem): SkipReason | undefined => {
    if (status?.privacyStatus === 'private') return 'private'
    return contentDetails.videoPublishedAt === undefined ? 'gone' : undefined
  }
  for await (const page of api.pagesOf(youtubeId)) {
    for (const playlistItem of page) {
      const { videoId } = playlistItem.contentDetails
      const obstacle = findSkipReason(playlistItem)
      if (obstacle !== undefined) skipReasonById.set(videoId, obstacle)
      else if (!entryByVideoId.has(videoId)) entryByVideoId.set(videoId, { videoId, addedAt: playlistItem.snippet.publishedAt })
    }
    report(`${entryByVideoId.size + skipReasonById.size} videos of the playlist are listed`)
  }
  return [...entryByVideoId.values()]
}

type Category = Pick<ImportRow<'songs'>, 'category_id' | 'category_name'>

/** Returns the category with its name: the name in the catalogue, or else one derived from the id. */
async function findCategory({ storage }: YoutubeImportContext, categoryId: string): Promise<Category> {
  const storedPlaylist = await storage.playlists.get(categoryId, { limit: 1, offset: 0 }, { newSinceMs: 0 })
  const nameFromId = categoryId.replace(/[-_]+/g, ' ').trim()
  const playlistName =
    storedPlaylist?.playlist.category_id === categoryId
      ? storedPlaylist.playlist.category_name
      : nameFromId.charAt(0).toUpperCase() + nameFromId.slice(1)
  return { category_id: categoryId, category_name: playlistName || categoryId }
}

/** Returns the site's playlist for the import: as it is stored, or a new one with the texts of YouTube's playlist and without songs. */
async function createPlaylistFields(
  importContext: YoutubeImportContext,
  { youtubeId, playlistId, categoryId }: PlaylistImport,
): Promise<ImportRow<'playlists'>> {
  const songCategory = categoryId === undefined ? undefined : await findCategory(importContext, categoryId)
  const storedPlaylist = await importContext.storage.catalogue.readPlaylist(playlistId)
  if (storedPlaylist !== undefined) return { ...storedPlaylist, ...songCategory }
  const playlistTexts = await importContext.api.readPlaylist(youtubeId)
  const title = cleanName(playlistTexts.title, playlistId)
  const ownCategory = { category_id: playlistId, category_name: title }
  return { id: playlistId, title, description: cleanDescription(playlistTexts.description), songs: [], ...ownCategory, ...songCategory }
}

/**
 * Imports a YouTube playlist into a playlist of the site. Reads the videos that the catalogue does not contain yet. Afterwards the site's playlist
 * has the songs of YouTube's playlist in the same order, followed by the other songs that it had before, without unplayable videos. If YouTube
 * stops answering, the songs that were read are stored, so that the next run does not read them again.
 * @throws InterruptedError if the import is to be repeated later
 */
export async function importPlaylist(importContext: YoutubeImportContext, request: PlaylistImport): Promise<PlaylistImportSummary> {
  const { storage, report } = importContext
  const playlist = await createPlaylistFields(importContext, request)
  const skipReasonById = new Map<string, SkipReason>()
  const playlistEntries = await listEntries(importContext, request.youtubeId, skipReasonById)
  const knownIds = await storage.catalogue.listCompleteSongs(playlistEntries.map(({ videoId }) => videoId))
  const newEntries = playlistEntries.filter(({ videoId }) => !knownIds.has(videoId))

  const resultByVideoId = new Map<string, VideoFields | SkipReason>()
  const listNewSongs = (): ImportRow<'songs'>[] =>
    newEntries.flatMap(({ videoId, addedAt }) => {
      const videoFields = resultByVideoId.get(videoId)
      if (videoFields === undefined || typeof videoFields === 'string') return []
      const { category_id, category_name } = playlist
      return [{ ...videoFields, category_id, category_name, date_added: addedAt }]
    })
  try {
    const newIds = newEntries.map(({ videoId }) => videoId)
    await readVideos(importContext.api, newIds, resultByVideoId, (done) => report(`${done} of ${newIds.length} new videos are read`))
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error
    const songs = listNewSongs()
    await importRows(importContext, { songs, playlists: [] })
    throw new InterruptedError(`${error.message}. ${songs.length} of ${newEntries.length} new songs are stored`)
  }
  for (const [videoId, result] of resultByVideoId) if (typeof result === 'string') skipReasonById.set(videoId, result)

  const songs = listNewSongs()
  const listedIds = playlistEntries.flatMap(({ videoId }) => (skipReasonById.has(videoId) ? [] : [videoId]))
  const listedSet = new Set(listedIds)
  const otherIds = playlist.songs.filter((songId) => !listedSet.has(songId) && !skipReasonById.has(songId))
  const songIds = [...listedIds, ...otherIds]
  await importRows(importContext, { songs, playlists: [{ ...playlist, songs: songIds }] })
  return { playlist: playlist.id, songs: songIds.length, added: songs.length, left_out: countValues(skipReasonById.values()) }
}
