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

interface Entry {
  videoId: string
  addedAt: string
}

/** Lists the distinct videos of a playlist in order. Adds videos that YouTube marks as unavailable to `obstacles`. */
async function listEntries({ api, report }: YoutubeImportContext, youtubeId: string, obstacles: Map<string, SkipReason>): Promise<Entry[]> {
  const entries = new Map<string, Entry>()
  const obstacleOf = ({ status, contentDetails }: PlaylistItem): SkipReason | undefined => {
    if (status?.privacyStatus === 'private') return 'private'
    return contentDetails.videoPublishedAt === undefined ? 'gone' : undefined
  }
  for await (const page of api.pagesOf(youtubeId)) {
    for (const item of page) {
      const { videoId } = item.contentDetails
      const obstacle = obstacleOf(item)
      if (obstacle !== undefined) obstacles.set(videoId, obstacle)
      else if (!entries.has(videoId)) entries.set(videoId, { videoId, addedAt: item.snippet.publishedAt })
    }
    report(`${entries.size + obstacles.size} videos of the playlist are listed`)
  }
  return [...entries.values()]
}

type Category = Pick<ImportRow<'songs'>, 'category_id' | 'category_name'>

/** Returns the category with its name: the name in the catalogue, or else one derived from the id. */
async function categoryOf({ storage }: YoutubeImportContext, id: string): Promise<Category> {
  const storedPlaylist = await storage.playlists.get(id, { limit: 1, offset: 0 }, { newSinceMs: 0 })
  const nameFromId = id.replace(/[-_]+/g, ' ').trim()
  const name =
    storedPlaylist?.playlist.category_id === id
      ? storedPlaylist.playlist.category_name
      : nameFromId.charAt(0).toUpperCase() + nameFromId.slice(1)
  return { category_id: id, category_name: name || id }
}

/** Returns the site's playlist for the import: as it is stored, or a new one with the texts of YouTube's playlist and without songs. */
async function playlistFieldsOf(
  run: YoutubeImportContext,
  { youtubeId, playlistId, categoryId }: PlaylistImport,
): Promise<ImportRow<'playlists'>> {
  const category = categoryId === undefined ? undefined : await categoryOf(run, categoryId)
  const storedPlaylist = await run.storage.catalogue.readPlaylist(playlistId)
  if (storedPlaylist !== undefined) return { ...storedPlaylist, ...category }
  const texts = await run.api.readPlaylist(youtubeId)
  const title = cleanName(texts.title, playlistId)
  const ownCategory = { category_id: playlistId, category_name: title }
  return { id: playlistId, title, description: cleanDescription(texts.description), songs: [], ...ownCategory, ...category }
}

/**
 * Imports a YouTube playlist into a playlist of the site. Reads the videos that the catalogue does not contain yet. Afterwards the site's playlist
 * has the songs of YouTube's playlist in the same order, followed by the other songs that it had before, without unplayable videos. If YouTube
 * stops answering, the songs that were read are stored, so that the next run does not read them again.
 * @throws InterruptedError if the import is to be repeated later
 */
export async function importPlaylist(run: YoutubeImportContext, request: PlaylistImport): Promise<PlaylistImportSummary> {
  const { storage, report } = run
  const playlist = await playlistFieldsOf(run, request)
  const obstacles = new Map<string, SkipReason>()
  const playlistEntries = await listEntries(run, request.youtubeId, obstacles)
  const knownIds = await storage.catalogue.listCompleteSongs(playlistEntries.map(({ videoId }) => videoId))
  const newEntries = playlistEntries.filter(({ videoId }) => !knownIds.has(videoId))

  const videoResults = new Map<string, VideoFields | SkipReason>()
  const newSongs = (): ImportRow<'songs'>[] =>
    newEntries.flatMap(({ videoId, addedAt }) => {
      const fields = videoResults.get(videoId)
      if (fields === undefined || typeof fields === 'string') return []
      const { category_id, category_name } = playlist
      return [{ ...fields, category_id, category_name, date_added: addedAt }]
    })
  try {
    const newIds = newEntries.map(({ videoId }) => videoId)
    await readVideos(run.api, newIds, videoResults, (done) => report(`${done} of ${newIds.length} new videos are read`))
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error
    const songs = newSongs()
    await importRows(run, { songs, playlists: [] })
    throw new InterruptedError(`${error.message}. ${songs.length} of ${newEntries.length} new songs are stored`)
  }
  for (const [videoId, result] of videoResults) if (typeof result === 'string') obstacles.set(videoId, result)

  const songs = newSongs()
  const listedIds = playlistEntries.flatMap(({ videoId }) => (obstacles.has(videoId) ? [] : [videoId]))
  const listedSet = new Set(listedIds)
  const otherIds = playlist.songs.filter((songId) => !listedSet.has(songId) && !obstacles.has(songId))
  const songIds = [...listedIds, ...otherIds]
  await importRows(run, { songs, playlists: [{ ...playlist, songs: songIds }] })
  return { playlist: playlist.id, songs: songIds.length, added: songs.length, left_out: countValues(obstacles.values()) }
}
