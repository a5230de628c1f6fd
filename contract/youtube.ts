const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
const HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
  'youtube-nocookie.com',
])

/**
 * The 11-character video id in `text`, which is an id or a watch, share, embed, shorts or live URL.
 * `undefined` for anything else; whether the video exists is not known here.
 */
export function parseVideoId(text: string): string | undefined {
  const trimmed = text.trim()
  if (VIDEO_ID.test(trimmed)) return trimmed
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  const path = url.pathname.split('/').filter(Boolean)
  const candidate =
    url.hostname === 'youtu.be'
      ? path[0]
      : HOSTS.has(url.hostname)
        ? (url.searchParams.get('v') ?? (['embed', 'shorts', 'live', 'v'].includes(path[0] ?? '') ? path[1] : undefined))
        : undefined
  return candidate !== undefined && VIDEO_ID.test(candidate) ? candidate : undefined
}

export const watchUrl = (youtubeId: string) => `https://www.youtube.com/watch?v=${youtubeId}`
export const channelUrl = (channelId: string) => `https://www.youtube.com/channel/${channelId}`
