import type { VideoCalls } from './calls.ts'
import { openPictureSource, type PictureSource } from './picture-source.ts'
import { serveCalls } from './serve-calls.ts'
import { findVideoFormat } from './video-encoding.ts'
import { createVideoFile, type VideoFile } from './video-file.ts'

/** The larger side of the pictures of previews, in pixels. */
const MAX_PREVIEW_SIDE = 1920

let video: VideoFile | undefined

serveCalls<VideoCalls>({
  async openPicture({ blob }) {
    const source = await openPictureSource(blob)
    if (source === undefined) return { response: undefined }
    try {
      const firstFrame = await source.withPicture(0, (image) => copyPicture(image, source))
      return { response: { firstFrame, durationS: source.durationS }, transfer: [firstFrame] }
    } finally {
      source.dispose()
    }
  },
  findFormat: async (size) => ({ response: await findVideoFormat(size) }),
  async start(request) {
    video = await createVideoFile(request)
    return { response: undefined }
  },
  async add(part) {
    await openVideo().add(part)
    return { response: undefined }
  },
  finish: async () => ({ response: await openVideo().finish() }),
})

function openVideo(): VideoFile {
  if (video === undefined) throw new Error('no video was started')
  return video
}

/** Copies a picture, and reduces it to the size of a preview if it is larger. */
function copyPicture(image: CanvasImageSource, { width, height }: PictureSource): ImageBitmap {
  const scale = Math.min(1, MAX_PREVIEW_SIDE / Math.max(width, height))
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas for the picture')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.transferToImageBitmap()
}
