/** The width and height in pixels of a cover in the list of projects and on a lock screen. */
const LISTED_COVER_PX = 512
/** The width and height in pixels of a chosen cover, which files have in their tags. */
export const CHOSEN_COVER_PX = 1200
const COVER_QUALITY = 0.85
/** The MIME type of all covers that are saved with projects. */
export const COVER_TYPE = 'image/jpeg'

/** Cuts the middle of a picture, and reduces it to a cover. Resolves with `undefined` if the browser cannot decode the picture. */
export async function toSquarePicture(picture: Blob, maxPx = LISTED_COVER_PX): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(picture).catch(() => undefined)
  if (bitmap === undefined) return undefined
  try {
    const { width, height } = bitmap
    const sourceSidePx = Math.min(width, height)
    const sidePx = Math.min(sourceSidePx, maxPx)
    const canvas = new OffscreenCanvas(sidePx, sidePx)
    canvas
      .getContext('2d')
      ?.drawImage(bitmap, (width - sourceSidePx) / 2, (height - sourceSidePx) / 2, sourceSidePx, sourceSidePx, 0, 0, sidePx, sidePx)
    return await canvas.convertToBlob({ type: COVER_TYPE, quality: COVER_QUALITY })
  } catch {
    return undefined
  } finally {
    bitmap.close()
  }
}
