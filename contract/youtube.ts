import { LINK_MAX_LENGTH } from './link-rules.ts'

const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
  'youtube-nocookie.com',
])

const SHORT_HOSTS = new Set(['youtu.be', 'www.youtu.be'])

export const isYouTubeHost = (hostname: string): boolean => SHORT_HOSTS.has(hostname) || YOUTUBE_HOSTS.has(hostname)

/** Adds `https://` to a URL without a scheme, and YouTube's host as well if the URL is only a path. */
function completeUrl(urlText: string): string {
  if (/^https?:\/\//i.test(urlText)) return urlText
  return urlText.startsWith('/watch?') ? `https://www.youtube.com${urlText}` : `https://${urlText.replace(/^\/\//, '')}`
}

/**
 * Returns the 11-character video id of `urlText`, which is an id or a watch, share, embed, shorts or live URL, with or without a scheme; `undefined` for
 * any other text and for texts of more than `LINK_MAX_LENGTH` characters. The existence of the video is not checked.
 */
export function parseVideoId(urlText: string): string | undefined {
  if (urlText.length > LINK_MAX_LENGTH) return undefined
  const trimmedText = urlText.trim()
  if (VIDEO_ID.test(trimmedText)) return trimmedText
  const completedUrl = completeUrl(trimmedText)
  if (!URL.canParse(completedUrl)) return undefined
  const url = new URL(completedUrl)
  const pathSegments = url.pathname.split('/').filter(Boolean)
  const candidateId = SHORT_HOSTS.has(url.hostname)
    ? pathSegments[0]
    : YOUTUBE_HOSTS.has(url.hostname)
      ? (url.searchParams.get('v') ?? (['embed', 'shorts', 'live', 'v'].includes(pathSegments[0] ?? '') ? pathSegments[1] : undefined))
      : undefined
  return candidateId !== undefined && VIDEO_ID.test(candidateId) ? candidateId : undefined
}

export const createWatchUrl = (youtubeId: string) => `https://www.youtube.com/watch?v=${youtubeId}`

const PLAYLIST_ID = /^[A-Za-z0-9_-]{10,100}$/

/**
 * Returns the id of a YouTube playlist from `urlText`, which is the id itself or a URL of YouTube with the parameter `list`; `undefined` for any other
 * text. The existence of the playlist is not checked.
 */
export function parseYoutubePlaylistId(urlText: string): string | undefined {
  const trimmedText = urlText.trim()
  if (trimmedText.length > LINK_MAX_LENGTH) return undefined
  // A text of 11 characters is the id of a video, not of a playlist.
  if (PLAYLIST_ID.test(trimmedText)) return VIDEO_ID.test(trimmedText) ? undefined : trimmedText
  const completedUrl = completeUrl(trimmedText)
  if (!URL.canParse(completedUrl) || !isYouTubeHost(new URL(completedUrl).hostname)) return undefined
  const id = new URL(completedUrl).searchParams.get('list')
  return id !== null && PLAYLIST_ID.test(id) ? id : undefined
}
