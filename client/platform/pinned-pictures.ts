import { PINNED_PICTURES_CACHE } from '../../contract/caches.ts'

/** The error of a response that is not a picture. */
export class PictureUnavailable extends Error {
  override readonly name = 'PictureUnavailable'
}

/** The Accept header of image requests, by which the server chooses the format. */
const IMAGE_TYPES = 'image/webp,image/*,*/*;q=0.8'

/** The cache of the pictures of downloaded playlists, by path. */
export function createPinnedPictures() {
  const openPinnedPictures = () => caches.open(PINNED_PICTURES_CACHE)
  return {
    has: async (path: string) => (await (await openPinnedPictures()).match(path, { ignoreVary: true })) !== undefined,
    /**
     * Fetches and caches a picture; returns its size in bytes. Rejects with `PictureUnavailable`, with a `TypeError` without a response, or with a
     * `QuotaExceededError`.
     */
    async add(urlPath: string, signal: AbortSignal) {
      const response = await fetch(urlPath, { signal, headers: { Accept: IMAGE_TYPES } })
      if (!response.ok) throw new PictureUnavailable(`${urlPath}: the response has status ${response.status}.`)
      if (!response.headers.get('content-type')?.startsWith('image/'))
        throw new PictureUnavailable(`${urlPath}: the response is not a picture.`)
      const { size: pictureBytes } = await response.clone().blob()
      await (await openPinnedPictures()).put(urlPath, response)
      return pictureBytes
    },
    async remove(picturePaths: readonly string[]) {
      const cache = await openPinnedPictures()
      for (const path of picturePaths) await cache.delete(path, { ignoreVary: true })
    },
  }
}

export type PinnedPictures = ReturnType<typeof createPinnedPictures>
