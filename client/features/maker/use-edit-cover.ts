import { useEffect, useState } from 'react'
import { drawCover } from '../../primitives/drawn-cover.ts'
import type { ProjectSummary } from './use-maker.ts'
import { describeCover } from './video-style.ts'

/** The size of drawn covers in pixels, which suffices for a row on dense screens, and for a lock screen. */
const DRAWN_COVER_SIZE_PX = { width: 192, height: 192 }

/**
 * The `data:` URLs of the pictures of this page's edits, by the edit's id and its cover. The content security policy allows no `blob:`
 * URLs.
 */
const urlByCoverKey = new Map<string, Promise<string>>()
const urlByEditKey = new Map<string, string>()

type CoveredEdit = Pick<ProjectSummary, 'id' | 'cover' | 'coverSource'>

const createEditKey = ({ id, cover, coverSource }: CoveredEdit) => `${id} ${cover && coverSource}`

/** Returns the URL of an edit's picture if a row has shown it. */
export const getCachedCoverUrl = (edit: CoveredEdit): string | undefined => urlByEditKey.get(createEditKey(edit))

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
  const [coverUrl, setCoverUrl] = useState<string>()
  useEffect(() => {
    let isCoverStale = false
    const coverKey = createEditKey({ id, cover, coverSource })
    const urlPromise =
      urlByCoverKey.get(coverKey) ??
      (cover ? toDataUrl(cover) : drawCover(describeCover(DRAWN_COVER_SIZE_PX, id)).convertToBlob().then(toDataUrl))
    urlByCoverKey.set(coverKey, urlPromise)
    urlPromise.then(
      (loadedUrl) => {
        urlByEditKey.set(coverKey, loadedUrl)
        if (!isCoverStale) setCoverUrl(loadedUrl)
      },
      () => {
        // A failure is ignored, because a row is usable without a picture.
      },
    )
    return () => {
      isCoverStale = true
    }
  }, [id, cover, coverSource])
  return coverUrl
}
