import { useEffect, useState } from 'react'
import { drawCover } from '../../primitives/drawn-cover.ts'
import type { ProjectSummary } from './use-maker.ts'
import { describeCover } from './video-style.ts'

/** The size of drawn covers in pixels, which suffices for a row on dense screens, and for a lock screen. */
const DRAWN_SIZE = { width: 192, height: 192 }

/**
 * The `data:` URLs of the pictures of this page's edits, by the edit's id and its cover. The content security policy allows no `blob:`
 * URLs.
 */
const urls = new Map<string, Promise<string>>()
const knownUrls = new Map<string, string>()

type CoveredEdit = Pick<ProjectSummary, 'id' | 'cover' | 'coverSource'>

const keyOf = ({ id, cover, coverSource }: CoveredEdit) => `${id} ${cover && coverSource}`

/** Returns the URL of an edit's picture if a row has shown it. */
export const getCachedCoverUrl = (edit: CoveredEdit): string | undefined => knownUrls.get(keyOf(edit))

function toDataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(picture)
  })
}

/**
 * Returns the URL of an edit's picture: the cover in the tags of its song, else one in the brand's style. It is `undefined` until it is
 * known.
 */
export function useEditCover({ id, cover, coverSource }: CoveredEdit): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let isStale = false
    const key = keyOf({ id, cover, coverSource })
    const loading = urls.get(key) ?? (cover ? toDataUrl(cover) : drawCover(describeCover(DRAWN_SIZE, id)).convertToBlob().then(toDataUrl))
    urls.set(key, loading)
    loading.then(
      (loadedUrl) => {
        knownUrls.set(key, loadedUrl)
        if (!isStale) setUrl(loadedUrl)
      },
      () => {
        // A failure is ignored, because a row is usable without a picture.
      },
    )
    return () => {
      isStale = true
    }
  }, [id, cover, coverSource])
  return url
}
