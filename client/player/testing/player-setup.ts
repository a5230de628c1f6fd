import type { Song, SongDetail } from '../../../contract/song.ts'
import { createCatalogue } from '../../data/catalogue-repository.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { createApi } from '../../platform/api.ts'
import { createMemoryStorage } from '../../platform/testing/memory-storage.ts'
import { createCleanupScope, type Scope } from '../../primitives/scope.ts'
import { countSubscriptions } from '../../testing/leaks.ts'
import { createPlayer, type PlayerOptions } from '../player.ts'
import type { PlayStore } from '../song-source.ts'
import type { VideoFailure } from '../video-adapter.ts'
import { createMediaVideo } from './media-video.ts'

const SAMPLE_RATE = 8000

/** Returns the object URL of a silent WAV file. */
function createSilentAudio(scope: Scope, durationS: number): string {
  const sampleCount = Math.round(durationS * SAMPLE_RATE)
  const view = new DataView(new ArrayBuffer(44 + sampleCount))
  const writeText = (at: number, text: string) => {
    for (const [index, letter] of [...text].entries()) view.setUint8(at + index, letter.charCodeAt(0))
  }
  writeText(0, 'RIFF')
  view.setUint32(4, 36 + sampleCount, true)
  writeText(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE, true)
  view.setUint32(28, SAMPLE_RATE, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  writeText(36, 'data')
  view.setUint32(40, sampleCount, true)
  for (let at = 44; at < view.byteLength; at++) view.setUint8(at, 128)
  return scope.createObjectUrl(new Blob([view], { type: 'audio/wav' }))
}

export const songIds = Array.from({ length: 9 }, (_, index) => `song_00000${index}`)
export const createSong = (songId: string): Song => ({
  youtube_id: songId,
  youtube_url: `https://www.youtube.com/watch?v=${songId}`,
  title: `Title ${songId}`,
  author_name: 'Someone',
  category_id: 'cat',
  category_name: 'Category',
  date_added: '2026-01-01T00:00:00Z',
  new: 'false',
})

/** The songs that are related to every song. */
const relatedIds = ['related_000', 'related_001']
const createRelatedDetail = (songId: string): SongDetail => ({
  ...createSong(songId),
  description: '',
  context_id: 'cat',
  context_title: 'Category',
  first_song: songId,
  next: songId,
  next_title: '',
  favorite: false,
})

interface ApiCall {
  path: string
  fields: Record<string, unknown>
}

/** Answers requests to the site's API from one playlist that contains all songs. */
function serveCatalogue(calls: ApiCall[], isOffline: () => boolean): typeof fetch {
  return async (requestUrl, init) => {
    if (isOffline()) throw new TypeError('Failed to fetch')
    const url = new URL(String(requestUrl), location.href)
    const urlPath = url.pathname.replace('/api', '')
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    const requestFields = { ...Object.fromEntries(url.searchParams), ...(body as Record<string, unknown>) }
    calls.push({ path: urlPath, fields: requestFields })
    const createJsonResponse = (data: unknown, statusCode = 200) =>
      Response.json({ code: statusCode, message: statusCode === 200 ? 'OK' : 'Not found', data }, { status: statusCode })
    if (urlPath === '/song/related')
      return createJsonResponse(relatedIds.filter((id) => !String(requestFields.not).split(',').includes(id)).map(createSong))
    if (urlPath === '/song/get') {
      if (relatedIds.includes(String(requestFields.s))) return createJsonResponse(createRelatedDetail(String(requestFields.s)))
      const index = songIds.indexOf(String(requestFields.s))
      if (index < 0) return createJsonResponse(null, 404)
      const songContext = { context_id: 'list', context_title: 'List', first_song: songIds[0] ?? '', description: '', favorite: false }
      const nextId = songIds[(index + 1) % songIds.length]
      const previous = index === 0 ? {} : { previous: songIds[index - 1] }
      return createJsonResponse({ ...createSong(songIds[index] ?? ''), ...songContext, next: nextId, next_title: '', ...previous })
    }
    if (urlPath === '/playlist/get')
      return createJsonResponse({ playlist: { id: 'list', title: 'List', song_count: songIds.length }, songs: songIds.map(createSong) })
    if (urlPath === '/song/random') return createJsonResponse({ youtube_id: songIds[2], youtube_url: '', title: '', category_id: 'cat' })
    return createJsonResponse(null)
  }
}

export interface PlayerSetUp extends Partial<PlayerOptions> {
  /** The lengths of the videos in seconds, by song id. The default is 30. */
  secondsBySongId?: Record<string, number>
  /** The simulated error codes of the video platform, by song id. */
  errorCodesBySongId?: Record<string, number>
  playStore?: Partial<PlayStore>
  /** Whether requests to the site's API fail. */
  isOffline?: () => boolean
}

/** Creates a player with a media element that plays silence. `close` closes the player and releases the resources of this setup. */
export function setUpPlayer({
  secondsBySongId: durationsBySongId = {},
  errorCodesBySongId = {},
  playStore,
  isOffline = () => false,
  ...deps
}: PlayerSetUp = {}) {
  const scope = createCleanupScope()
  const apiCalls: ApiCall[] = []
  const element = document.createElement('audio')
  const loadedVideoIds: string[] = []
  const mediaVideo = createMediaVideo(element, (videoId) => {
    loadedVideoIds.push(videoId)
    return errorCodesBySongId[videoId] === undefined
      ? createSilentAudio(scope, durationsBySongId[videoId] ?? 30)
      : scope.createObjectUrl(new Blob(['no audio']))
  })
  // A media element reports no error codes of the video platform, so this code replaces the element's own.
  const simulatedVideo = Object.create(mediaVideo, {
    error: {
      get: (): VideoFailure | undefined =>
        mediaVideo.error && { kind: 'video', code: errorCodesBySongId[loadedVideoIds.at(-1) ?? ''] ?? 100 },
    },
  }) as typeof mediaVideo
  const videoSubscriptionCount = countSubscriptions(simulatedVideo, 'on')
  const hostElement = document.createElement('div')
  document.body.append(hostElement)
  scope.add(() => hostElement.remove())
  const api = createApi({ baseUrl: '/api', fetch: serveCatalogue(apiCalls, isOffline) })
  const catalogue = createCatalogue({ api, database: createMemoryDatabase() })
  const player = createPlayer({
    api,
    catalogue,
    openPlayStore: async () => ({ storePlay: async () => {}, logPlay: async () => {}, ...playStore }),
    video: simulatedVideo,
    storage: createMemoryStorage(),
    channel: undefined,
    reloadedSongId: '',
    ...deps,
  })
  player.attachStage(hostElement)
  scope.add(player.close)
  const listRequestsTo = (path: string) => apiCalls.filter((call) => call.path === path).map((call) => call.fields)
  return {
    player,
    element,
    videoSubscriptions: videoSubscriptionCount,
    loaded: loadedVideoIds,
    requests: listRequestsTo,
    close: scope.dispose,
  }
}
