import { paintForeground, paintPicture } from '../video/frame-painter.ts'
import { createExampleData } from '../video/sound-analyser.ts'
import type { VideoCalls } from './calls.ts'
import { openPictureSource, type PictureSource } from './picture-source.ts'
import { serveCalls } from './serve-calls.ts'
import { findVideoFormat } from './video-encoding.ts'
import { createVideoFile, type VideoFile } from './video-file.ts'

/** The larger side of the pictures of previews, in pixels. */
const MAX_PREVIEW_SIDE_PX = 1920

let videoFile: VideoFile | undefined
/** The first frames of the pictures of previews, by the ids of the pictures. */
const pictureById = new Map<number, { readonly frame: ImageBitmap; readonly durationS: number }>()

serveCalls<VideoCalls>({
  async openPicture({ id, source: picture }) {
    const pictureSource = await openPictureSource(picture)
    if (pictureSource === undefined) return { response: undefined }
    try {
      const { durationS } = pictureSource
      pictureById.set(id, { frame: await pictureSource.withPicture(0, (image) => copyPicture(image, pictureSource)), durationS })
      return { response: { durationS } }
    } finally {
      pictureSource.dispose()
    }
  },
  closePicture({ id }) {
    pictureById.get(id)?.frame.close()
    pictureById.delete(id)
    return { response: undefined }
  },
  paintPreview({ id, scene, isGliding }) {
    const picture = pictureById.get(id)
    const canvas = new OffscreenCanvas(scene.width, scene.height)
    const context = canvas.getContext('2d')
    if (picture === undefined || context === null) throw new Error('no picture for the preview')
    const { frame, durationS } = picture
    paintPicture(context, scene, frame, frame, durationS === 0 && isGliding ? 0 : undefined)
    paintForeground(context, scene, createExampleData())
    scene.textLayer?.close()
    const response = canvas.transferToImageBitmap()
    return { response, transfer: [response] }
  },
  findFormat: async (size) => ({ response: await findVideoFormat(size) }),
  async start(request) {
    videoFile = await createVideoFile(request)
    return { response: undefined }
  },
  async add(soundPart) {
    await requireOpenVideo().add(soundPart)
    return { response: undefined }
  },
  finish: async () => ({ response: await requireOpenVideo().finish() }),
})

function requireOpenVideo(): VideoFile {
  if (videoFile === undefined) throw new Error('no video was started')
  return videoFile
}

/** Copies a picture, and reduces it to the size of a preview if it is larger. */
function copyPicture(image: CanvasImageSource, { width, height }: PictureSource): ImageBitmap {
  const sizeRatio = Math.min(1, MAX_PREVIEW_SIDE_PX / Math.max(width, height))
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * sizeRatio)), Math.max(1, Math.round(height * sizeRatio)))
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas for the picture')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.transferToImageBitmap()
}
