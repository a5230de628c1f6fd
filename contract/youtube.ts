import { LINK_MAX_LENGTH } from './link-rules.ts'

const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
export const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
  'youtube-nocookie.com',
])

/**
 * Returns the 11-character video id of `text`, which is an id or a watch, share, embed, shorts or live URL; `undefined` for any other text and for
 * texts of more than `LINK_MAX_LENGTH` characters. The existence of the video is not checked.
 */
export function parseVideoId(text: string): string | undefined {
  if (text.length > LINK_MAX_LENGTH) return undefined
  const trimmedText = text.trim()
  if (VIDEO_ID.test(trimmedText)) return trimmedText
  if (!/^https?:\/\//i.test(trimmedText) || !URL.canParse(trimmedText)) return undefined
  const url = new URL(trimmedText)
  const pathSegments = url.pathname.split('/').filter(Boolean)
  const candidate =
    url.hostname === 'youtu.be'
      ? pathSegments[0]
      : YOUTUBE_HOSTS.has(url.hostname)
        ? (url.searchParams.get('v') ?? (['embed', 'shorts', 'live', 'v'].includes(pathSegments[0] ?? '') ? pathSegments[1] : undefined))
        : undefined
  return candidate !== undefined && VIDEO_ID.test(candidate) ? candidate : undefined
}

export const watchUrl = (youtubeId: string) => `https://www.youtube.com/watch?v=${youtubeId}`
