import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

const withQuery = (urlPath: string, queryParams: Record<string, string | undefined>) => {
  const searchParams = new URLSearchParams()
  for (const [name, value] of Object.entries(queryParams)) if (value) searchParams.set(name, value)
  const text = searchParams.toString()
  return text === '' ? urlPath : `${urlPath}?${text}`
}

/** `contextId` is a playlist id, a category id, 'favorite', or the context id of an own or a shared playlist. An empty one is left out. */
export const createSongPath = (songId: string, contextId?: string, options: { shuffle?: boolean } = {}) =>
  withQuery('/song', { s: songId, p: contextId }) + (options.shuffle ? '&shuffle' : '')

/** `id` is a playlist id or a category id. */
export const createPlaylistPath = (id: string) => withQuery('/playlist', { p: id })

export const createSearchPath = (text: string) => withQuery('/search', { q: text })

export const createArtistPath = (authorName: string) => withQuery('/search', { q: authorName, type: 'artist' })

/** Returns the URL of a subscriber's website, a subdomain of the main site. */
export function createWebsiteUrl(mainUrl: string, domainName: string): string {
  const { protocol, host } = new URL(mainUrl)
  return `${protocol}//${domainName}.${host}/`
}

/** Returns the function that navigates to a path of the site and adds a history entry. */
export function useNavigateTo(): (path: string) => void {
  const router = useRouter()
  return useCallback((path: string) => router.history.push(path), [router])
}
